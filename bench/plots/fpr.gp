# fpr.gp - drawn by fpr.sh, which sets figure, dir (holding the data), out, source and w.
set terminal pngcairo size 1250, 700 enhanced font "Sans,13" linewidth 1.5
set output out
set encoding utf8

set style line 20 lc rgb "#dddddd" lw 0.6
set grid xtics ytics ls 20
set label 1 source.sprintf(", {/:Italic w} = %d", w) at graph 0.5, 1.03 center
set title offset 0, 1 font ",16"
set tmargin 5
set key outside right center vertical Left reverse samplen 3 spacing 1.5 font ",12"
colours = "#1b7837 #1f78b4 #d95f02 #7570b3"
colour(i) = word(colours, int(i))

# [Ma11, eq. 2]
eq2(m, k, n) = (1 - exp(k * n * log(1 - 1.0 / m)))**k

if (figure ne "fig06") {
    # Curves: m and k of each. Fig. 4 differs in m, Fig. 5 in k.
    curves = system(sprintf("cat '%s/%s.curves'", dir, figure))
    n_curves = words(curves) / 2
    m(i) = int(word(curves, 2 * i - 1))
    k(i) = int(word(curves, 2 * i))
    name(i) = figure eq "fig04" ? sprintf("{/:Italic m} = %d Kbit", m(i) / 1024) : sprintf("{/:Italic k} = %d", k(i))
    file(i, hash) = sprintf("%s/%s_%d_%d_%s", dir, figure, m(i), k(i), hash)
    shared = figure eq "fig04" ? sprintf("{/:Italic k} = %d", k(1)) : sprintf("{/:Italic m} = %d Kbit", m(1) / 1024)
    set title sprintf("False positive rate, measured and predicted, %s   [Ma11, Fig. %d]", shared, int(figure[5:5]))
    set logscale y
    set ytics format "10^{%L}"
    set ylabel "false positive rate"
    set xlabel "{/:Italic n}, {/:Italic w}-mers in a sub-query"
    set logscale x
    set xtics ("10,000" 1e4, "20,000" 2e4, "30,000" 3e4, "50,000" 5e4, "100,000" 1e5, "200,000" 2e5, "300,000" 3e5)
    set xrange [9000:350000]
    set yrange [*:1.6]
    set samples 600
    plot for [i=1:n_curves] [n=9000:350000] eq2(m(i), k(i), n) with lines lc rgb colour(i) lw 1.6 title name(i), \
         for [i=1:n_curves] file(i, "h3") using 1:5 with lines lc rgb colour(i) lw 1.2 dt (6, 4) notitle, \
         for [i=1:n_curves] file(i, "xxh3") using 1:2 with points pt 6 ps 1.9 lw 0.9 lc rgb colour(i) notitle, \
         for [i=1:n_curves] file(i, "h3") using 1:2:3:4 with yerrorbars pt 7 ps 0.8 lw 1.1 lc rgb colour(i) notitle, \
         keyentry with lines lc rgb "#444444" lw 1.6 title "eq. 2, {/:Italic n}", \
         keyentry with lines lc rgb "#444444" lw 1.2 dt (6, 4) title "eq. 2, different {/:Italic w}-mers", \
         keyentry with points pt 7 ps 0.8 lc rgb "#444444" title "measured, H3 (95 %)", \
         keyentry with points pt 6 ps 1.9 lw 0.9 lc rgb "#444444" title "measured, XXH3"
} else {
    highest = 0
    do for [hash in "h3 xxh3"] {
        stats sprintf("%s/fig06_%s_distinct", dir, hash) using 2 nooutput
        highest = STATS_max > highest ? STATS_max : highest
    }
    set multiplot layout 1, 2 \
        title "Relative error of the prediction, all sub-queries of Figs. 4 and 5   [Ma11, Fig. 6]" font ",16"
    set tmargin 4
    unset title
    set style fill solid 0.55 border
    set boxwidth 0.02
    set xrange [-0.54:0.54]
    set yrange [0:highest * 1.15]
    set xtics ("≤ −50 %%" -0.5, "−25 %%" -0.25, "0" 0, "25 %%" 0.25, "≥ 50 %%" 0.5)
    set xlabel "(measured − predicted) / predicted"
    set ylabel "% of sub-queries"
    set key inside top left samplen 2
    do for [hash in "h3 xxh3"] {
        set label 1 (hash eq "h3" ? "H3" : "XXH3") at graph 0.5, 1.03 center
        set label 2 source.sprintf(", {/:Italic w} = %d", w) at screen 0.5, 0.93 center
        file(prediction) = sprintf("%s/fig06_%s_%s", dir, hash, prediction)
        plot file("distinct") with boxes lc rgb colour(2) title "eq. 2, different {/:Italic w}-mers", \
             file("nominal") with boxes fs transparent solid 0.55 lc rgb colour(3) title "eq. 2, {/:Italic n}"
    }
    unset multiplot
}
