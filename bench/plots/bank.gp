# bank.gp - drawn by bank.sh, which sets figure, dir (holding FIGURE.plot and its data), out and machine.
set terminal pngcairo size 1250, 700 enhanced font "Sans,13" linewidth 1.5
set output out
set encoding utf8

set style line 20 lc rgb "#dddddd" lw 0.6
set grid xtics ytics ls 20
set label 1 machine at graph 0.5, 1.03 center
set title offset 0, 1 font ",16"
set tmargin 5
set key outside right center vertical Left reverse noenhanced samplen 3 spacing 1.4 font ",12"
set autoscale noextend
set offsets graph 0.03, graph 0.03, graph 0.05, graph 0.05

if (figure eq "fig07") {
    set title "Time over {/:Italic k}, query of 250 M w-mers, {/:Italic m} = 256 Kbit   [Ma11, Fig. 7]"
    set xlabel "{/:Italic k}, hash functions"
    set ylabel "milliseconds for 2^{20} w-mers of the database"
    set logscale y
}
if (figure eq "fig08") {
    set title "Time over {/:Italic n}, query of 250 M w-mers, {/:Italic m} = 256 Kbit   [Ma11, Fig. 8]"
    set xlabel "{/:Italic n}, thousands of w-mers in a sub-query"
    set ylabel "milliseconds for 2^{20} w-mers of the database"
    set logscale y
}
if (figure[1:4] eq "fig0" && figure ne "fig07" && figure ne "fig08" || figure[1:4] eq "fig1" && figure ne "fig15" && figure ne "fig16") {
    m = figure eq "fig09" ? "256 K" : figure eq "fig10" ? "128 K" : figure eq "fig11" ? "64 K" : figure eq "fig12" ? "32 K" : figure[7:strlen(figure) - 1]." K"
    set title sprintf("Throughput over requested blocks, {/:Italic n} = 50,000, {/:Italic k} = 6, {/:Italic m} = %sbit   [Ma11, Figs. 9-14]", m)
    set xlabel "blocks requested, a sub-query each"
    set ylabel "G filter tests a second"
    set offsets graph 0.03, graph 0.03, graph 0.05, 0
    set yrange [0:*]
}
if (figure eq "fig15") {
    set title "Throughput over threads a block, {/:Italic n} = 50,000, {/:Italic k} = 6, {/:Italic m} = 64 Kbit   [Ma11, Fig. 15]"
    set xlabel "threads a block"
    set ylabel "G filter tests a second"
    set offsets graph 0.03, graph 0.03, graph 0.05, 0
    set yrange [0:*]
}
if (figure eq "fig16") {
    set title "Copies and kernels, {/:Italic m} = 256 Kbit, {/:Italic k} = 6   [Ma11, Fig. 16]"
    set xlabel "{/:Italic n}, thousands of w-mers in a sub-query"
    set ylabel "milliseconds"
    set style data histograms
    set style histogram rowstacked
    set style fill solid 0.85 noborder
    set boxwidth 0.6
    set offsets 0, 0, graph 0.05, 0
    set yrange [0:*]
    file = dir."/fig16.data"
    plot file using 5:xtic(1) lc rgb "#d95f02" title "copy of the database", \
         file using 4 lc rgb "#1b7837" title "copy of the vectors", \
         file using 2 lc rgb "#444444" title "kernels, schedule shared", \
         file using 3 lc rgb "#7570b3" title "copy of the results, a bit a test"
} else {
    plot_it = system(sprintf("cat '%s/%s.plot'", dir, figure))
    eval plot_it
}
