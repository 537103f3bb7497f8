# ong.gp - drawn by ong.sh, which sets dir (holding the files ong and defaults), out, machine and threads.
#
# Upper panel: total time of insertion and search against n [Ong13, Figs. 2, 5, 8]. Lower panel: speed-up against serial
# [Figs. 5, 8] and of CUDA against threads [Fig. 9].
set terminal pngcairo size 1100, 1300 enhanced font "Sans,13" linewidth 1.5
set output out
set encoding utf8
set datafile missing "NaN"

set style line 1 lc rgb "#444444" pt 7 ps 1.3 lw 1.6
set style line 2 lc rgb "#d95f02" pt 5 ps 1.3 lw 1.6
set style line 3 lc rgb "#1b7837" pt 9 ps 1.6 lw 1.6
set style line 4 lc rgb "#7570b3" pt 13 ps 1.6 lw 1.6
set style line 11 lc rgb "#444444" pt 6 ps 1.1 lw 1.2 dt 2
set style line 12 lc rgb "#d95f02" pt 4 ps 1.1 lw 1.2 dt 2
set style line 13 lc rgb "#1b7837" pt 8 ps 1.3 lw 1.2 dt 2
set style line 20 lc rgb "#dddddd" lw 0.6

ong = dir."/ong"
own = dir."/defaults"
many = sprintf("%d threads", threads)

# Columns that hold a number, so that a run without a GPU has no CUDA in its legends.
count_of(file, column) = int(system(sprintf("awk '$%d != \"NaN\"' '%s' | wc -l", column, file)))
has_gpu = count_of(ong, 4) > 0
has_own = count_of(own, 2) > 0

set multiplot layout 2, 1 margins 0.09, 0.97, 0.06, 0.89 spacing 0, 0.11
set label 1 "Insertion plus search of {/:Italic n} strings, at most 20 characters each, false-positive rate 1/{/:Italic n}" \
    at screen 0.53, 0.97 center font ",16"
set label 2 machine at screen 0.53, 0.943 center
set grid xtics ytics ls 20
set logscale xy
set xtics format "10^{%L}"
set xlabel "{/:Italic n}, strings inserted and searched"
stats ong using 1 nooutput name "N"
stats ong using 2 nooutput name "T"
set xrange [N_min / 1.5 : N_max * 1.5]
set key width -2 samplen 2.5 font ",12" spacing 1.25 Left reverse box lc rgb "#dddddd" opaque

set title "Total time, copies to and from the GPU included. As in the paper: AP hash, {/:Italic k} = 500"
set key top left vertical maxrows 3
set ylabel "seconds"
set yrange [* : 100 * T_max] # room for the legend
set ytics format "10^{%L}"
line(file, column, style, name) = sprintf("'%s' using 1:%d with linespoints ls %d title '%s', ", file, column, style, name)
lines = line(ong, 2, 1, "serial, as in the paper").line(ong, 3, 2, many.", as in the paper")
if (has_gpu) { lines = lines.line(ong, 4, 3, "CUDA, as in the paper") }
if (has_own) { lines = lines.line(own, 2, 11, "serial, defaults of tamis").line(own, 3, 12, "threads, defaults of tamis") }
if (has_own && has_gpu) { lines = lines.line(own, 4, 13, "CUDA, defaults of tamis") }
eval "plot ".lines

unset label 1
unset label 2
set title "Speed-up, AP hash, {/:Italic k} = 500"
set key bottom right vertical maxrows 3
set ylabel "times as fast"
set ytics format "%g"
set yrange [* : *]
ratio(a, b, style, name) = sprintf("'%s' using 1:($%d / $%d) with linespoints ls %d title '%s', ", ong, a, b, style, name)
lines = ratio(2, 3, 2, many." against serial")
if (has_gpu) { lines = lines.ratio(2, 4, 3, "CUDA against serial").ratio(3, 4, 4, "CUDA against threads") }
eval "plot ".lines."1 with lines lc rgb '#888888' lw 1 dt 3 notitle"
unset multiplot
