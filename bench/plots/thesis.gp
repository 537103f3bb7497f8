# thesis.gp - drawn by thesis.sh, which sets figure, dir (holding FIGURE.plot and its data), out, machine and fig14_k.
set terminal pngcairo size 1250, 700 enhanced font "Sans,13" linewidth 1.5
set output out
set encoding utf8

set style line 20 lc rgb "#dddddd" lw 0.6
set grid xtics ytics ls 20
set label 1 machine at graph 0.5, 1.03 center
set title offset 0, 1 font ",16"
set tmargin 5
set key outside right center vertical Left reverse noenhanced samplen 3 spacing 1.5 font ",12"
set logscale y
set ytics format "10^{%L}"
set ylabel "nanoseconds a key"
set autoscale noextend
set offsets graph 0.03, graph 0.03, graph 0.05, graph 0.05

if (figure eq "fig13") {
    set title "Classical filter: insertion over {/:Italic k}   [thesis, Fig. 13]"
    set logscale x 2
    set xlabel "{/:Italic k}, hash functions"
}
if (figure eq "fig14") {
    set title sprintf("Classical filter, {/:Italic k} = %d: insertion over the bytes of a batch   [thesis, Fig. 14]", fig14_k)
    set logscale x
    set xtics format "10^{%L}"
    set xlabel "bytes of keys in the batch (1 to 150 letters and digits a key)"
    set ylabel "seconds a batch"
}
if (figure eq "fig15") {
    set title "Probabilistic filter, {/:Italic p} = 0.01: insertion over {/:Italic k}   [thesis, Fig. 15]"
    set xlabel "{/:Italic k}, hash functions"
}
plot_it = system(sprintf("cat '%s/%s.plot'", dir, figure))
eval plot_it
