"use strict";
// The list over many answers: filtered and sorted in memory, shown a page at a time; reports are unpacked on demand.
(() => {
  const $ = (id) => document.getElementById(id);
  const rows = JSON.parse($("rows").textContent);
  const total = rows.id.length;
  const PAGE = 50;
  const WORDS = { no_claims: "no claims", no_context: "no context" };
  const SIGNS = { consistent: "✓", inconsistent: "✗", failed: "✗" };
  const haystack = rows.text.map((text, i) => `${rows.id[i]}\n${text}`.toLowerCase());
  const bins = document.querySelectorAll("[data-bin]");
  const state = { query: "", status: "", bin: null, source: null, order: "worst", page: 0 };
  let found = [];

  function bin(i) {
    return rows.p[i] === null ? null : Math.min(Math.floor(rows.p[i] * bins.length), bins.length - 1);
  }

  function search() {
    const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
    const source = state.source === null ? -1 : rows.source_names.indexOf(state.source);
    found = [];
    for (let i = 0; i < total; i++) {
      if (state.status && rows.status[i] !== state.status) continue;
      if (state.bin !== null && bin(i) !== state.bin) continue;
      if (state.source !== null && !rows.sources[i].includes(source)) continue;
      if (words.length && !words.every((word) => haystack[i].includes(word))) continue;
      found.push(i);
    }
    if (state.order === "best") {
      const key = (i) => (rows.p[i] === null ? 2 : rows.p[i]);
      found.sort((a, b) => key(a) - key(b) || a - b);
    } else if (state.order === "file") {
      found.sort((a, b) => rows.number[a] - rows.number[b]);
    } else if (state.order === "id") {
      const order = new Intl.Collator("en", { numeric: true });
      found.sort((a, b) => order.compare(rows.id[a], rows.id[b]));
    }
    state.page = 0;
    show();
  }

  function cell(text, className) {
    const td = document.createElement("td");
    td.textContent = text;
    if (className) td.className = className;
    return td;
  }

  function row(i) {
    const tr = document.createElement("tr");
    const link = document.createElement("a");
    link.href = `#answer-${i}`;
    link.textContent = rows.id[i];
    const name = document.createElement("td");
    name.append(link);
    const status = document.createElement("td");
    const badge = document.createElement("span");
    badge.className = `ge-badge ge-${rows.status[i].replace("_", "-")}`;
    badge.textContent = `${SIGNS[rows.status[i]] || "–"} ${WORDS[rows.status[i]] || rows.status[i]}`;
    status.append(badge);
    const p = rows.p[i] === null ? "–" : rows.p[i].toFixed(2);
    const flagged = rows.claims[i] ? `${rows.flagged[i]} of ${rows.claims[i]}` : "–";
    const text = cell(rows.text[i], "ge-snippet");
    text.dir = "auto";
    tr.append(name, status, cell(p, "ge-number"), cell(flagged, "ge-number"), text);
    tr.addEventListener("click", (event) => { if (event.target !== link) location.hash = link.hash; });
    return tr;
  }

  function show() {
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    const start = state.page * PAGE;
    $("list").replaceChildren(...found.slice(start, start + PAGE).map(row));
    $("page").textContent = `Page ${state.page + 1} of ${pages.toLocaleString("en")}`;
    $("before").disabled = state.page === 0;
    $("after").disabled = state.page >= pages - 1;
    const filters = [];
    if (state.bin !== null) {
      filters.push(`p from ${(state.bin / bins.length).toFixed(2)} to ${((state.bin + 1) / bins.length).toFixed(2)}`);
    }
    if (state.source !== null) filters.push(`source ${state.source}`);
    const said = `${found.length.toLocaleString("en")} of ${total.toLocaleString("en")} answers`;
    $("found").textContent = [said, ...filters].join(", ");
    $("clear").hidden = !(state.query || state.status || filters.length);
    for (const one of bins) one.setAttribute("aria-pressed", String(Number(one.dataset.bin) === state.bin));
    for (const one of document.querySelectorAll("[data-status]")) {
      one.setAttribute("aria-pressed", String(one.dataset.status === state.status));
    }
    for (const one of document.querySelectorAll("[data-source]")) {
      one.setAttribute("aria-pressed", String(one.dataset.source === state.source));
    }
    $("status").value = state.status;
    GE.say(said);
  }

  let timer = 0;
  $("search").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => { state.query = $("search").value; search(); }, 120);
  });
  $("status").addEventListener("change", () => { state.status = $("status").value; search(); });
  $("order").addEventListener("change", () => { state.order = $("order").value; search(); });
  $("before").addEventListener("click", () => { state.page -= 1; show(); });
  $("after").addEventListener("click", () => { state.page += 1; show(); });
  $("clear").addEventListener("click", () => {
    Object.assign(state, { query: "", status: "", bin: null, source: null });
    $("search").value = "";
    search();
    $("search").focus();
  });
  const toggle = (name, value) => {
    state[name] = state[name] === value ? (name === "status" ? "" : null) : value;
    search();
  };
  const pick = (target) => {
    const chosen = target.closest("[data-bin], [data-status], [data-source]");
    if (!chosen || chosen.closest("#detail")) return false;
    if (chosen.dataset.bin) toggle("bin", Number(chosen.dataset.bin));
    else if (chosen.dataset.status) toggle("status", chosen.dataset.status);
    else toggle("source", chosen.dataset.source);
    return true;
  };
  document.addEventListener("click", (event) => { pick(event.target); });
  document.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && event.target.matches("[data-bin]") && pick(event.target)) {
      event.preventDefault();
    }
  });

  const unpacked = new Map();
  async function reports(number) {
    if (!unpacked.has(number)) {
      const bytes = Uint8Array.from(atob($(`chunk-${number}`).textContent), (c) => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
      unpacked.set(number, JSON.parse(await new Response(stream).text()));
      if (unpacked.size > 8) unpacked.delete(unpacked.keys().next().value);
    }
    return unpacked.get(number);
  }

  function button(text, hash) {
    const link = document.createElement("a");
    link.className = "ge-step";
    link.textContent = text;
    if (hash === null) link.setAttribute("aria-disabled", "true");
    else link.href = hash;
    return link;
  }

  let scrolled = 0;
  async function route() {
    const match = /^#answer-(\d+)$/.exec(location.hash);
    const i = match ? Number(match[1]) : -1;
    const detail = $("detail");
    if (i < 0 || i >= total) {
      if (detail.hidden) return;
      detail.hidden = true;
      detail.replaceChildren();
      $("overview").hidden = false;
      scrollTo(0, scrolled);
      return;
    }
    const list = await reports(Math.floor(i / rows.chunk));
    if (!$("overview").hidden) scrolled = scrollY;
    const place = found.indexOf(i);
    const bar = document.createElement("nav");
    bar.className = "ge-steps";
    bar.setAttribute("aria-label", "Answers");
    const title = document.createElement("h2");
    title.className = "ge-title";
    title.tabIndex = -1;
    title.textContent = rows.id[i];
    bar.append(
      button("‹ All answers", "#list-of-answers"),
      title,
      button("Previous", place > 0 ? `#answer-${found[place - 1]}` : null),
      button("Next", place >= 0 && place < found.length - 1 ? `#answer-${found[place + 1]}` : null),
    );
    const article = document.createElement("article");
    article.className = "ge-one";
    article.innerHTML = list[i % rows.chunk]; // made by the program, escaped; the page's policy runs no script in it
    GE.wire(article);
    detail.replaceChildren(bar, article);
    detail.hidden = false;
    $("overview").hidden = true;
    scrollTo(0, 0);
    title.focus({ preventScroll: true });
  }
  addEventListener("hashchange", route);
  search();
  route();
})();
