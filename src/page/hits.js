// hits.js - draws the page of -outfmt html from the data that src/report/report_page.c wrote into it.
"use strict";
(() => {
  const search = JSON.parse(document.getElementById("search").textContent);
  const main = document.getElementById("main");
  const said = make("div", { id: "said", role: "status", "aria-live": "polite" });
  const FRAME = 3, SUBJECT_FRAME = 4, Q_FROM = 5, Q_TO = 6, S_FROM = 7, S_TO = 8, COLUMNS = 9, SAME = 10, POSITIVE = 11, GAPS = 12,
    LINKED = 13, AT = 14, KEY = 15, TRACE = 16; // of an HSP, behind score, bits, E-value
  const ID = 0, TITLE = 1, MORE = 2, LENGTH = 3, COVERED = 4, HSPS = 5; // of a subject
  const query_turns = search.query_code > 0, subject_turns = search.subject_code > 0; // they are translated
  const is_protein = search.subject === "protein" || search.query === "protein" || query_turns;
  const unit = search.query === "protein" ? "aa" : "bp", subject_unit = search.subject === "protein" ? "aa" : "bp";
  const ROWS = 100, BARS = 50, LANES = 6, HIGH = 8, ALIGNMENTS = 20, WIDTH = 60;

  // ---- elements ----

  function make(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  function draw(name, attributes, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  const count = (n) => Number(n).toLocaleString("en-US");
  const plural = (n, one, many = one + "s") => count(n) + " " + (n === 1 ? one : many);
  const percent = (n, of) => (of > 0 ? 100 * n / of : 0);

  function say(text) {
    said.textContent = text;
    setTimeout(() => { if (said.textContent === text) said.textContent = ""; }, 2500);
  }

  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", { "aria-hidden": "true" });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    document.dispatchEvent(new CustomEvent("copied", { detail: text }));
    say("Copied: " + what);
  }

  // ---- names ----

  // The pages of public databases about a sequence: of UniProt and of NCBI, by the form of its id.
  function address(id) {
    const parts = id.split("|"), at = parts[0] === "gi" ? 2 : 0;
    const kind = parts.length > at + 1 ? parts[at] : "", accession = parts.length > at + 1 ? parts[at + 1] || parts[at + 2] || "" : parts[0];
    if ((kind === "sp" || kind === "tr") && /^[A-Z][A-Z0-9]{5,9}(\.\d+)?$/.test(accession))
      return "https://www.uniprot.org/uniprotkb/" + accession.replace(/\.\d+$/, "");
    if (kind === "" && search.subject === "protein" &&
      /^([OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d([A-Z][A-Z0-9]{2}\d){1,2})(\.\d+)?$/.test(accession))
      return "https://www.uniprot.org/uniprotkb/" + accession.replace(/\.\d+$/, "");
    const is_known = /^(ref|gb|emb|dbj|tpg|tpe|tpd|pir|prf|pdb)$/.test(kind) && /^[A-Za-z0-9_.]+$/.test(accession);
    if (is_known || (kind === "" && /^([NXWYA][CGMPRTWZ]_\d{6,}|[A-Z]{3}\d{5,7}|CP\d{6}|[A-Z]{2}\d{6})(\.\d+)?$/.test(accession)))
      return "https://www.ncbi.nlm.nih.gov/" + (search.subject === "protein" ? "protein/" : "nuccore/") + encodeURIComponent(accession);
    return null;
  }

  const query_name = (query) => query.name[0] || "Query " + query.n;

  // A cell with a name, and a title that may be long.
  const titled = (title) => (title ? [" ", make("span", { class: "title" }, title)] : []);
  const named = (classes, name, title) => make("td", { class: classes }, make("div", { title: title || undefined }, name, ...titled(title)));

  // "The first n of m rows are shown", and a button for all of them; nothing while all are, unless the button has just gone: then who
  // pressed a key goes on from here.
  function rest(noun, verb, done, all) {
    const element = make("p", { class: "rest", tabindex: "-1" });
    return { element, set(n, of) {
      if (n >= of && element.contains(document.activeElement)) {
        element.replaceChildren("All " + count(of) + " " + noun + " are " + done + ".");
        element.focus({ preventScroll: true });
        return;
      }
      element.replaceChildren(...(n < of ? ["The first " + count(n) + " of " + count(of) + " " + noun + " are " + done + ". ",
        make("button", { type: "button", onclick: all }, verb + " all " + count(of) + " " + noun)] : []));
    } };
  }

  // ---- a table that sorts ----

  // columns: {name, hint, class, value(row), cell(row), descends}. Returns {element, show(rows)}.
  function table(caption, columns, row_of, shown) {
    let rows = [], order = -1, descends = false, limit = ROWS;
    const body = make("tbody");
    const heads = columns.map((column, i) => make("th", { scope: "col", class: column.class, title: column.hint },
      column.value ? make("button", { type: "button", onclick: () => sort(i) }, column.name) : column.name));
    const more = rest("rows", "Show", "shown", () => { limit = Infinity; render(); });
    const element = make("div", {}, make("div", { class: "wide" },
      make("table", {}, make("caption", {}, caption), make("thead", {}, make("tr", {}, ...heads)), body)), more.element);

    function sort(i) {
      descends = order === i ? !descends : columns[i].descends === true;
      order = i;
      render();
    }
    function render() {
      const sorted = rows.slice();
      if (order >= 0) {
        const value = columns[order].value, sign = descends ? -1 : 1;
        sorted.sort((a, b) => {
          const x = value(a), y = value(b);
          return sign * (typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y);
        });
      }
      heads.forEach((head, i) => {
        if (i === order) head.setAttribute("aria-sort", descends ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
      body.replaceChildren(...sorted.slice(0, limit).flatMap((row) => row_of(row)));
      more.set(limit, sorted.length);
      if (shown) shown(sorted);
    }
    return { element, show(new_rows) { rows = new_rows; render(); }, all() { limit = Infinity; render(); } };
  }

  function share(part) {
    const inner = make("i");
    inner.style.width = Math.min(100, part).toFixed(1) + "%";
    return [make("span", { class: "share", "aria-hidden": "true" }, inner), make("span", { class: "percent" }, part.toFixed(0) + " %")];
  }

  // ---- the overview ----

  const queries = [];
  for (const element of document.querySelectorAll("script.query")) {
    const text = element.textContent, end = text.indexOf("\n"), query = JSON.parse(text.slice(0, end));
    query.element = element;
    query.from = end + 1;
    queries.push(query);
  }

  function overview() {
    const filter = make("input", { type: "text", id: "which", oninput: show, autocomplete: "off" });
    const only = make("input", { type: "checkbox", id: "only", onchange: show });
    const best = (query, i, missing) => (query.best ? query.best[i] : missing);
    const cover = (query) => percent(best(query, 6, 0), query.searched);
    const same = (query) => percent(best(query, 4, 0), best(query, 5, 1));
    const list = table("Queries", [
      { name: "#", class: "n optional", value: (q) => q.n },
      { name: "Query", value: (q) => query_name(q) + " " + q.name[1] },
      { name: "Length, " + unit, class: "n optional", value: (q) => q.length, descends: true },
      { name: "Hits", class: "n", hint: "subjects with an alignment", value: (q) => q.subjects, descends: true },
      { name: "Best hit", class: "optional", value: (q) => best(q, 0, "") + " " + best(q, 1, "") },
      { name: "E-value", class: "n", value: (q) => Number(best(q, 2, Infinity)) },
      { name: "Identity", class: "n optional", hint: "of the best alignment", value: same, descends: true },
      { name: "Coverage", class: "n", hint: "of the query by the best hit's alignments", value: cover, descends: true },
    ], (q) => make("tr", {},
      make("td", { class: "n optional" }, String(q.n)),
      named("name", make("button", { type: "button", class: "link", onclick: () => go(q) }, query_name(q)), q.name[1]),
      make("td", { class: "n optional" }, count(q.length)), make("td", { class: "n" }, count(q.subjects)),
      named("name optional", q.best ? q.best[0] : "no hit", q.best ? q.best[1] : ""),
      make("td", { class: "n" }, best(q, 2, "")), make("td", { class: "n optional" }, q.best ? same(q).toFixed(1) + " %" : ""),
      make("td", { class: "n" }, ...(q.best ? share(cover(q)) : []))));

    function show() {
      const words = filter.value.toLowerCase();
      list.show(queries.filter((q) => (!only.checked || q.subjects > 0) &&
        (query_name(q) + " " + q.name[1] + " " + (q.best ? q.best[0] + " " + q.best[1] : "")).toLowerCase().includes(words)));
    }
    show();
    return make("section", { "aria-label": "Overview of queries" },
      make("div", { class: "tools" }, make("label", {}, "Query or hit", filter), make("label", { class: "tick" }, only, "Only with hits")), list.element);
  }

  // ---- a query's hits ----

  async function unpack(query) {
    const text = query.element.textContent, begin = text.indexOf(" ", query.from), n = Number(text.slice(query.from, begin));
    const bytes = new Uint8Array(n), digit = new Uint8Array(127);
    for (let c = 33, k = 0; c < 127; c++) if (!"<>&".includes(String.fromCharCode(c))) digit[c] = k++;
    for (let i = begin + 1, at = 0, bits = 0, n_bits = 0; at < n; i += 2) { // pairs of base 91, 13 bits each
      bits |= (digit[text.charCodeAt(i)] + 91 * digit[text.charCodeAt(i + 1)]) << n_bits;
      for (n_bits += 13; n_bits >= 8 && at < n; n_bits -= 8, bits >>= 8) bytes[at++] = bits & 255;
    }
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  }

  // Puts subjects and HSPs together from the lists of names, numbers and traces.
  function assemble(hits) {
    const traces = hits.traces.split(" ");
    let k = 0;
    hits.subjects = hits.names.map((name, i) => {
      const [length, covered, n_hsps] = hits.subjects[i], hsps = [];
      for (; hsps.length < n_hsps; k++) hsps.push([...hits.hsps.map((numbers) => numbers[k]), traces[k]]);
      return [...name, length, covered, hsps];
    });
  }

  const MANY = { "[": 32, "]": 64, "^": 128, "_": 256, "`": 512, "{": 1024, "|": 4096 }; // equal columns, in a trace

  // The rows of an alignment: the query's, the middle one, the subject's.
  function rows_of(hits, hsp) {
    const residues = hits.frames[hsp[KEY]], trace = hsp[TRACE];
    let q = "", middle = "", s = "", at = hsp[AT], openings = 0, last = "";
    for (let i = 0; i < trace.length; i++) {
      const c = trace[i], n_equal = c >= "0" && c <= "?" ? c.charCodeAt(0) - 47 : MANY[c] || 0;
      openings += (c === "-" || c === "+") && c !== last;
      last = c;
      if (n_equal > 0) {
        const equal = residues.slice(at, at + n_equal), upper = equal.toUpperCase();
        q += equal;
        s += upper;
        middle += is_protein ? upper : "|".repeat(n_equal);
        at += n_equal;
      } else if (c === "+") {
        q += "-";
        middle += " ";
        s += trace[++i];
      } else if (c === "-") {
        q += residues[at++];
        middle += " ";
        s += "-";
      } else {
        const mine = residues[at].toUpperCase(), its = c.toUpperCase();
        q += residues[at++];
        s += c;
        middle += mine === its ? (is_protein ? mine : "|") : (search.positives[mine] || "").includes(its) ? "+" : " ";
      }
    }
    return { q, middle, s, openings };
  }

  const strand_of = (n) => (n === 0 ? "" : n > 0 ? "+" : "−");
  const frame_text = (n) => strand_of(n) + Math.abs(n);
  const score_class = (bits) => "score" + (bits < 40 ? 0 : bits < 50 ? 1 : bits < 80 ? 2 : bits < 200 ? 3 : 4);
  const total_bits = (subject) => subject[HSPS].reduce((sum, hsp) => sum + Number(hsp[1]), 0);
  const bits_text = (bits) => (bits < 100 ? bits.toFixed(1) : count(Math.round(bits)));
  const best_evalue = (subject) => Number(subject[HSPS][0][2]);
  const identity = (hsp) => percent(hsp[SAME], hsp[COLUMNS]);

  // Strand or frame of an HSP, as text; "" where there is none.
  function turn_of(hsp) {
    const parts = [];
    if (query_turns) parts.push((subject_turns ? "query " : "") + "frame " + frame_text(hsp[FRAME]));
    if (subject_turns) parts.push("subject frame " + frame_text(hsp[SUBJECT_FRAME]));
    if (!is_protein) parts.push("strand " + strand_of(hsp[FRAME]) + "/" + strand_of(hsp[SUBJECT_FRAME]));
    return parts.join(", ");
  }
  const has_turn = !is_protein || query_turns || subject_turns;
  const bar_frame = (hsp) => (query_turns ? hsp[FRAME] : hsp[SUBJECT_FRAME]); // what a bar shows: of the query, else of the subject
  const descends = (hsp) => bar_frame(hsp) < 0;

  // ---- bars ----

  function tick_step(length, most) {
    let step = 1;
    for (let i = 0; length / step > most; i++) step = i % 3 === 1 ? step / 2 * 5 : step * 2;
    return step;
  }

  // The bar of an HSP from x = a to b, with its frame if there is room.
  function bar(hsp, a, end, y) {
    const b = Math.max(end, a + 2), tip = Math.min(5, (b - a) / 2), middle = y + HIGH / 2, below = y + HIGH;
    const points = !has_turn ? [[a, y], [b, y], [b, below], [a, below]]
      : descends(hsp) ? [[b, y], [b, below], [a + tip, below], [a, middle], [a + tip, y]]
        : [[a, y], [b - tip, y], [b, middle], [b - tip, below], [a, below]];
    const parts = [draw("polygon", { class: score_class(Number(hsp[1])), points: points.map((p) => p[0].toFixed(1) + "," + p[1]).join(" ") })];
    if ((query_turns || subject_turns) && b - a > 34)
      parts.push(draw("text", { class: "on", x: (a + b) / 2, y: y + 7, "text-anchor": "middle" }, document.createTextNode(frame_text(bar_frame(hsp)))));
    return parts;
  }

  // Deals the HSPs of a subject out to at most `most` rows, the best first, so that none hides another as long as there are rows.
  function stack(hsps, most) {
    const rows = [];
    for (const hsp of hsps) {
      const low = Math.min(hsp[Q_FROM], hsp[Q_TO]), high = Math.max(hsp[Q_FROM], hsp[Q_TO]), slack = (high - low) / 5;
      let row = rows.find((taken) => taken.every((other) => high < other.low + slack || low > other.high - slack));
      if (!row) {
        row = rows.length < most ? [] : rows[most - 1];
        if (row.length === 0) rows.push(row);
      }
      row.push({ hsp, low, high });
    }
    return rows;
  }

  // A bar for each HSP; those of a subject in one lane, joined by a line, or more if they overlap. Subjects that do not overlap share lanes.
  function bars(query, subjects, open) {
    const LEFT = 12, RIGHT = 12, SPAN = 1000 - LEFT - RIGHT, TOP = 46, LANE = 11;
    const x = (base) => LEFT + SPAN * base / query.length;
    const lanes = [], shown = [], most = Math.max(1, Math.min(LANES, Math.floor(2 * BARS / subjects.length)));
    for (const subject of subjects) {
      const ends = subject[HSPS].flatMap((hsp) => [hsp[Q_FROM], hsp[Q_TO]]), low = x(Math.min(...ends) - 1), high = Math.max(x(Math.max(...ends)), low + 4);
      const rows = stack(subject[HSPS], most), is_free = (taken) => taken.every((other) => high + 6 < other[0] || low > other[1] + 6);
      let lane = 0;
      while (!lanes.slice(lane, lane + rows.length).every(is_free)) lane++;
      while (lanes.length < lane + rows.length) lanes.push([]);
      lanes.slice(lane, lane + rows.length).forEach((taken) => taken.push([low, high]));
      shown.push({ subject, rows, lane });
    }
    const height = TOP + lanes.length * LANE + 6;
    const svg = draw("svg", { class: "bars", viewBox: "0 0 1000 " + height, role: "img",
      "aria-label": "Where the alignments of " + plural(subjects.length, "subject") + " lie on the query; the table below has the same numbers" });
    svg.append(draw("rect", { class: "query", x: LEFT, y: 29, width: SPAN, height: 7 }));
    const step = tick_step(query.length, 10);
    for (let base = 0; base <= query.length; base += step) {
      const at = x(base), is_last = query.length - base < step * 0.4 && base > 0;
      svg.append(draw("line", { class: "axis", x1: at, x2: at, y1: 25, y2: 29 }));
      if (!is_last || query.length - base > step * 0.25)
        svg.append(draw("text", { x: at, y: 21, "text-anchor": base === 0 ? "start" : at > 960 ? "end" : "middle" },
          count(base === 0 ? 1 : base) + (base === 0 ? " " + unit : "")));
    }
    for (const { subject, rows, lane } of shown) {
      const group = draw("g", {});
      group.append(draw("title", {}, document.createTextNode(subject[ID] + " " + subject[TITLE] + "\nE-value " + subject[HSPS][0][2] + ", " +
        subject[HSPS][0][1].trim() + " bits")));
      for (const [row, hsps] of rows.entries()) {
        const y = TOP + (lane + row) * LANE;
        if (row === 0 && hsps.length > 1)
          group.append(draw("line", { class: "join", x1: x(Math.min(...hsps.map((h) => h.low))), x2: x(Math.max(...hsps.map((h) => h.high))),
            y1: y + HIGH / 2, y2: y + HIGH / 2 }));
        for (const { hsp, low, high } of hsps.reverse()) group.append(...bar(hsp, x(low - 1), x(high), y)); // the best one last, on top
      }
      group.addEventListener("click", () => open(subject));
      svg.append(group);
    }
    return svg;
  }

  function key() {
    const texts = ["below 40 bits", "40 to 50", "50 to 80", "80 to 200", "200 or more"];
    return make("ul", { class: "key", "aria-label": "Colours of bars" },
      ...texts.map((text, i) => make("li", {}, make("i", { class: "score" + i }), text)),
      has_turn ? make("li", {}, "tip to the right: plus strand" + (query_turns ? " of the query" : " of the subject") + ", to the left: minus") : null);
  }

  // ---- alignments ----

  const CLASSES = { same: "same", near: "near" };

  function marked(line, middle, masked_by) {
    const out = [];
    let run = "", mark = "";
    const flush = () => {
      if (run) out.push(mark ? make("span", { class: mark }, run) : run);
      run = "";
    };
    for (let i = 0; i < line.length; i++) {
      const is_masked = masked_by && line[i] >= "a" && line[i] <= "z";
      const now = is_masked ? "masked" : line[i] === "-" ? "" : middle[i] === "+" ? CLASSES.near : middle[i] !== " " ? CLASSES.same : "";
      if (now !== mark) flush();
      mark = now;
      run += line[i];
    }
    flush();
    return out;
  }

  function alignment(hits, hsp) {
    const { q, middle, s } = rows_of(hits, hsp), pre = make("pre", { tabindex: "0", role: "group", "aria-label": "Alignment" });
    const q_step = (hsp[Q_FROM] > hsp[Q_TO] ? -1 : 1) * (query_turns ? 3 : 1);
    const s_step = (hsp[S_FROM] > hsp[S_TO] ? -1 : 1) * (subject_turns ? 3 : 1);
    const wide = Math.max(...[hsp[Q_FROM], hsp[Q_TO], hsp[S_FROM], hsp[S_TO]].map((n) => String(n).length));
    let q_at = hsp[Q_FROM], s_at = hsp[S_FROM], i = 0;
    const more = rest("columns", "Show", "shown", () => rows(Infinity));
    const rows = (most) => {
      for (let n = 0; i < q.length && n < most; i += WIDTH, n++) row();
      more.set(i, q.length);
    };
    const row = () => {
      const a = q.slice(i, i + WIDTH), m = middle.slice(i, i + WIDTH), b = s.slice(i, i + WIDTH);
      const n_q = a.replace(/-/g, "").length, n_s = b.replace(/-/g, "").length;
      const line = (name, at, row, n, step) => [name + "  " + String(at).padEnd(wide) + "  ", ...marked(row, m, true),
        n > 0 ? "  " + (at + n * step - Math.sign(step)) + "\n" : "\n"];
      pre.append(make("span", { class: "row" }, ...line("Query", q_at, a, n_q, q_step), " ".repeat(9 + wide), ...marked(m, m, false), "\n",
        ...line("Sbjct", s_at, b, n_s, s_step), i + WIDTH < q.length ? "\n" : ""));
      q_at += n_q * q_step;
      s_at += n_s * s_step;
    };
    rows(ROWS);
    return make("div", {}, pre, more.element);
  }

  function fasta(hits, subject, hsp) {
    const row = rows_of(hits, hsp).s.replace(/-/g, "").toUpperCase(), lines = row.match(/.{1,60}/g) || [];
    return ">" + subject[ID] + ":" + hsp[S_FROM] + "-" + hsp[S_TO] + (subject[TITLE] ? " " + subject[TITLE] : "") + "\n" + lines.join("\n") + "\n";
  }

  function tsv(query, hits, subjects) {
    const lines = [["qaccver", "saccver", "pident", "length", "mismatch", "gapopen", "qstart", "qend", "sstart", "send", "evalue", "bitscore"].join("\t")];
    for (const subject of subjects)
      for (const hsp of subject[HSPS])
        lines.push([query_name(query), subject[ID], identity(hsp).toFixed(3), hsp[COLUMNS], hsp[COLUMNS] - hsp[SAME] - hsp[GAPS],
          rows_of(hits, hsp).openings, hsp[Q_FROM], hsp[Q_TO], hsp[S_FROM], hsp[S_TO], hsp[2], hsp[1]].join("\t"));
    return lines.join("\n") + "\n";
  }

  function details(query, hits, subject) {
    const link = address(subject[ID]), box = make("div", {});
    box.append(make("p", {}, make("strong", {}, subject[ID]), " " + subject[TITLE] +
      (subject[MORE] > 0 ? " (and " + plural(subject[MORE], "other name") + ")" : "") + ", " + count(subject[LENGTH]) + " " + subject_unit + " ",
      link ? make("a", { class: "away", href: link, rel: "noreferrer", target: "_blank" }, new URL(link).hostname.includes("uniprot") ? "UniProt" : "NCBI") : null));
    const list = make("div", {}), n = subject[HSPS].length, more = rest("alignments", "Show", "shown", () => add(Infinity));
    const one = (hsp, i) => {
      const facts = [hsp[1].trim() + " bits (" + hsp[0] + ")", "E-value " + hsp[2] + (hsp[LINKED] > 1 ? " (" + hsp[LINKED] + " linked)" : ""),
        "identities " + hsp[SAME] + "/" + hsp[COLUMNS] + " (" + identity(hsp).toFixed(1) + " %)"];
      if (is_protein) facts.push("positives " + hsp[POSITIVE] + "/" + hsp[COLUMNS] + " (" + percent(hsp[POSITIVE], hsp[COLUMNS]).toFixed(1) + " %)");
      facts.push("gaps " + hsp[GAPS]);
      if (turn_of(hsp)) facts.push(turn_of(hsp));
      list.append(make("div", { class: "hsp" },
        make("h4", {}, (subject[HSPS].length > 1 ? "Alignment " + (i + 1) + ": " : "") + facts.join(", ")), alignment(hits, hsp),
        make("div", { class: "tools" }, make("button", { type: "button", onclick: () => copy(fasta(hits, subject, hsp), "the subject's residues as FASTA") },
          "Copy as FASTA"))));
    };
    const add = (most) => {
      for (let i = list.childElementCount, end = Math.min(n, i + most); i < end; i++) one(subject[HSPS][i], i);
      more.set(list.childElementCount, n);
    };
    box.append(list, more.element);
    add(ALIGNMENTS);
    return box;
  }

  // ---- a query ----

  async function show_query(query) {
    const section = make("section", { "aria-label": "Hits of " + query_name(query) });
    const heading = make("h2", { tabindex: "-1" }, query_name(query), ...titled(query.name[1]));
    section.append(heading, make("p", { class: "facts" }, count(query.length) + " " + unit + ", " + plural(query.subjects, "hit")));
    if (query.warning) section.append(make("p", { class: "warning" }, query.warning));
    if (query.subjects === 0) {
      section.append(make("p", {}, "No hits found."));
      return { section, heading };
    }
    const hits = await unpack(query), opened = new Set();
    assemble(hits);
    hits.subjects.forEach((subject, i) => { subject.rank = i; });
    const name = make("input", { type: "text", oninput: filter, autocomplete: "off" });
    const evalue = make("input", { type: "text", class: "number", inputmode: "decimal", placeholder: "1e-5", oninput: filter });
    const least = make("input", { type: "text", class: "number", inputmode: "decimal", placeholder: "0", oninput: filter });
    const cover = make("input", { type: "text", class: "number", inputmode: "decimal", placeholder: "0", oninput: filter });
    const more = rest("hits", "Draw", "drawn", () => { n_bars = Infinity; paint(); });
    const drawn = make("div", {}), picture = make("figure", {}, drawn, key(), more.element), found = make("p", { class: "facts", role: "status" });
    const covered = (subject) => percent(subject[COVERED], query.searched);
    let shown = hits.subjects, n_bars = BARS;

    function toggle(subject, is_open) {
      if (is_open) opened.add(subject.rank);
      else opened.delete(subject.rank);
    }
    function row_of(subject) {
      const id = "s" + subject.rank, best = subject[HSPS][0], is_open = opened.has(subject.rank);
      const button = make("button", { type: "button", class: "link", "aria-expanded": String(is_open), "aria-controls": id,
        onclick: () => open(!opened.has(subject.rank)) }, subject[ID]);
      const row = make("tr", {}, named("name", button, subject[TITLE]),
        make("td", { class: "n optional" }, bits_text(Number(best[1]))), make("td", { class: "n optional" }, bits_text(total_bits(subject))),
        make("td", { class: "n" }, ...share(covered(subject))), make("td", { class: "n" }, best[2]),
        make("td", { class: "n" }, identity(best).toFixed(1) + " %"), make("td", { class: "n optional" }, count(subject[LENGTH])),
        make("td", { class: "n optional" }, count(subject[HSPS].length)));
      const cell = make("td", { colspan: "8" }), below = make("tr", { id, hidden: true }, cell);
      function open(now) {
        toggle(subject, now);
        if (now && !cell.hasChildNodes()) cell.append(details(query, hits, subject));
        below.hidden = !now;
        row.classList.toggle("chosen", now);
        button.setAttribute("aria-expanded", String(now));
      }
      if (is_open) open(true);
      return [row, below];
    }
    const list = table("Hits", [
      { name: "Subject", value: (s) => s[ID] + " " + s[TITLE] },
      { name: "Bits", class: "n optional", hint: "of the best alignment", value: (s) => Number(s[HSPS][0][1]), descends: true },
      { name: "Total", class: "n optional", hint: "bits of all alignments", value: total_bits, descends: true },
      { name: "Coverage", class: "n", hint: "of the query by all alignments", value: covered, descends: true },
      { name: "E-value", class: "n", value: best_evalue },
      { name: "Identity", class: "n", hint: "of the best alignment", value: (s) => identity(s[HSPS][0]), descends: true },
      { name: "Length, " + subject_unit, class: "n optional", value: (s) => s[LENGTH], descends: true },
      { name: "Alignments", class: "n optional", value: (s) => s[HSPS].length, descends: true },
    ], row_of);

    function paint() {
      drawn.replaceChildren(bars(query, shown.slice(0, n_bars), reveal));
      more.set(n_bars, shown.length);
    }
    function reveal(subject) {
      toggle(subject, true);
      list.all();
      const row = document.getElementById("s" + subject.rank);
      row.previousSibling.scrollIntoView({ block: "start" });
      row.previousSibling.querySelector("button").focus({ preventScroll: true });
    }
    function number_in(input, missing) {
      const number = Number(input.value.replace(",", "."));
      const is_good = input.value.trim() !== "" && !Number.isNaN(number);
      input.setAttribute("aria-invalid", String(input.value.trim() !== "" && !is_good));
      return is_good ? number : missing;
    }
    function filter() {
      const words = name.value.toLowerCase(), most = number_in(evalue, Infinity), same = number_in(least, 0), part = number_in(cover, 0);
      shown = hits.subjects.filter((s) => (s[ID] + " " + s[TITLE]).toLowerCase().includes(words) && best_evalue(s) <= most &&
        identity(s[HSPS][0]) >= same && covered(s) >= part);
      found.textContent = shown.length === hits.subjects.length ? "" : plural(shown.length, "hit") + " of " + count(hits.subjects.length);
      list.show(shown);
      paint();
    }
    filter();
    section.append(picture, make("div", { class: "tools" }, make("label", {}, "Name contains", name), make("label", {}, "E-value at most", evalue),
      make("label", {}, "Identity, %, at least", least), make("label", {}, "Coverage, %, at least", cover),
      make("button", { type: "button", onclick: () => copy(tsv(query, hits, shown), "a table of " + plural(shown.length, "hit")) }, "Copy table as TSV"),
      make("button", { type: "button", onclick: () => copy(shown.flatMap((s) => s[HSPS].map((hsp) => fasta(hits, s, hsp))).join(""),
        "the aligned residues of " + plural(shown.length, "hit") + " as FASTA") }, "Copy all as FASTA")), found, list.element);
    return { section, heading };
  }

  // ---- the page ----

  const go = (query) => { location.hash = "q" + query.n; };
  let calls = 0;

  async function route() {
    const call = ++calls, match = /^#q(\d+)$/.exec(location.hash);
    const query = match ? queries.find((q) => q.n === Number(match[1])) : queries.length === 1 ? queries[0] : undefined;
    if (query === undefined) {
      main.replaceChildren(...(queries.length > 0 ? [overview()] : [make("p", {}, "There were no queries.")]));
      document.body.dataset.ready = "overview";
      return;
    }
    let parts;
    try {
      parts = await show_query(query);
    } catch (error) {
      parts = { section: make("p", { class: "warning" }, "The hits of this query cannot be shown: " + error.message) };
    }
    if (call !== calls) return; // another query was chosen meanwhile
    const at = queries.indexOf(query);
    const step = (to, text) => (to >= 0 && to < queries.length ? make("a", { href: "#q" + queries[to].n }, text) : null);
    main.replaceChildren(...(queries.length > 1 ? [make("nav", { class: "back", "aria-label": "Queries" }, make("a", { href: "#" }, "All queries"),
      step(at - 1, "Previous"), step(at + 1, "Next"))] : []), parts.section);
    if (parts.heading && queries.length > 1) parts.heading.focus();
    window.scrollTo(0, 0);
    document.body.dataset.ready = "q" + query.n;
  }

  const where = plural(search.sequences, "sequence") + ", " + count(search.residues) + " " + subject_unit;
  main.before(make("p", { class: "facts" }, search.version + " · " + search.db + " · " + where +
    (search.matrix ? " · " + search.matrix : "") + " · E-value at most " + search.evalue + " · " + plural(queries.length, "query", "queries")));
  document.body.append(said);
  addEventListener("hashchange", route);
  route();
})();
