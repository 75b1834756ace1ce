"use strict";
// Sorting, filtering and searching of the table, details below its rows, and a memory for the colours.
// Everything else of the page works without this script. Texts of records become text nodes only.
(() => {
  const byId = (id) => document.getElementById(id);
  const CHUNK = 100;

  const memory = {
    get() { try { return localStorage.getItem("crashback-theme"); } catch { return null; } },
    set(value) { try { localStorage.setItem("crashback-theme", value); } catch { /* Not allowed for this file. */ } },
  };
  const remembered = document.querySelector(`input[name=theme][value="${memory.get() || "auto"}"]`);
  if (remembered) remembered.checked = true;
  for (const input of document.querySelectorAll("input[name=theme]")) {
    input.addEventListener("change", () => memory.set(input.value));
  }

  if (navigator.clipboard) {
    for (const button of document.querySelectorAll(".copy")) button.hidden = false;
    document.addEventListener("click", async (event) => {
      const button = event.target.closest(".copy");
      if (!button) return;
      const source = button.closest("figure").querySelector("pre").textContent;
      const done = await navigator.clipboard.writeText(source + "\n").then(() => "Copied", () => "Not allowed");
      button.textContent = done;
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }

  const element = byId("data");
  if (!element) return;
  document.documentElement.classList.add("js");

  const data = JSON.parse(element.textContent);
  const simple = (name) => name.slice(name.lastIndexOf(".") + 1);
  const exceptions = data.exceptions.map(simple);
  const rows = data.crashes.map(([name, application, exception, height, details, figures], number) => ({
    number, name, application, exception, height, details, figures,
    text: [name, data.applications[application], data.exceptions[exception] ?? ""].join("\n").toLowerCase(),
  }));
  const heads = [...document.querySelectorAll(".crashes th[data-key]")];
  const body = byId("rows"), more = byId("more");
  const sort = { key: "crash", descending: false };
  const opened = new Set();
  let view = 0, shown = [], drawn = 0;

  const whole = new Intl.NumberFormat("en");
  const or = (value) => value ?? "–";
  const time = (seconds) => {
    if (seconds === null) return "–";
    if (seconds < 1) return `${seconds.toFixed(2)} s`;
    if (seconds < 120) return `${seconds.toFixed(1)} s`;
    return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  };
  // For each column the text and the value to sort by. Figures: runs, reproduced, state, frame, seconds, tests.
  const columns = {
    crash: { text: (row) => row.name, value: (row) => row.number },
    application: { text: (row) => data.applications[row.application], value: (row) => row.application },
    exception: { text: (row) => or(exceptions[row.exception]), value: (row) => exceptions[row.exception] ?? null },
    state: { text: (row, it) => data.states[it[2]].label, value: (row, it) => it[2] },
    reproduced: { text: (row, it) => `${it[1]} / ${it[0]}`, value: (row, it) => it[1] / it[0] },
    frame: { text: (row, it) => `${or(it[3])} / ${or(row.height)}`, value: (row, it) => it[3] },
    seconds: { text: (row, it) => time(it[4]), value: (row, it) => it[4] },
    tests: { text: (row, it) => whole.format(it[5]), value: (row, it) => it[5] },
  };

  const make = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const swatch = (state) => {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg"), rect = document.createElementNS(space, "rect");
    svg.setAttribute("class", "swatch");
    svg.setAttribute("aria-hidden", "true");
    rect.setAttribute("class", state.class);
    rect.setAttribute("width", "100%");
    rect.setAttribute("height", "100%");
    svg.append(rect);
    return svg;
  };

  const cell = (row, head) => {
    const key = head.dataset.key, text = columns[key].text(row, row.figures[view]);
    const td = make("td", head.className);
    td.dataset.label = head.textContent;
    if (key === "crash" && row.details) {
      const button = make("button", "open", text);
      button.type = "button";
      button.setAttribute("aria-expanded", opened.has(row.number));
      button.addEventListener("click", () => toggle(row.number, button));
      td.append(button);
    } else if (key === "state") {
      const pill = make("span", "pill", text);
      pill.prepend(swatch(data.states[row.figures[view][2]]));
      td.append(pill);
    } else {
      td.textContent = text;
    }
    return td;
  };
  // Details are escaped already and wait as text in an element for browsers without scripts.
  const articles = new Map();
  const article = (number) => {
    if (!articles.has(number)) {
      const template = make("template");
      template.innerHTML = byId(`detail-${number}`).textContent;
      const made = template.content.firstElementChild;
      if (navigator.clipboard) for (const button of made.querySelectorAll(".copy")) button.hidden = false;
      articles.set(number, made);
    }
    return articles.get(number);
  };
  const detailRow = (number) => {
    const tr = make("tr", "detail"), td = make("td"), inside = make("div", "inside");
    td.colSpan = heads.length;
    inside.append(article(number));
    td.append(inside);
    tr.append(td);
    return tr;
  };

  const toggle = (number, button) => {
    const tr = button.closest("tr"), isOpen = opened.has(number);
    button.setAttribute("aria-expanded", !isOpen);
    if (isOpen) {
      opened.delete(number);
      tr.nextElementSibling.remove();
    } else {
      opened.add(number);
      tr.after(detailRow(number));
    }
  };

  const draw = (count) => {
    const part = document.createDocumentFragment();
    for (const row of shown.slice(drawn, drawn + count)) {
      const tr = make("tr");
      tr.dataset.crash = row.number;
      tr.append(...heads.map((head) => cell(row, head)));
      part.append(tr);
      if (opened.has(row.number)) part.append(detailRow(row.number));
    }
    drawn = Math.min(shown.length, drawn + count);
    body.append(part);
    more.hidden = drawn >= shown.length;
  };

  const compare = (value) => (a, b) => {
    const left = value(a, a.figures[view]), right = value(b, b.figures[view]);
    // Unknown values come last in both directions.
    if (left === null || right === null) return (left === null) - (right === null) || a.number - b.number;
    const order = typeof left === "string" ? left.localeCompare(right) : left - right;
    return (sort.descending ? -order : order) || a.number - b.number;
  };
  const chosen = (id) => { const value = byId(id)?.value; return value ? Number(value) : null; };

  const update = () => {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const state = chosen("filter-state"), application = chosen("filter-application");
    const exception = chosen("filter-exception");
    const exceptionName = exception === null ? null : exceptions[exception];
    shown = rows.filter((row) => row.figures[view]
      && (state === null || row.figures[view][2] === state)
      && (application === null || row.application === application)
      && (exceptionName === null || exceptions[row.exception] === exceptionName)
      && words.every((word) => row.text.includes(word)));
    shown.sort(compare(columns[sort.key].value));
    for (const head of heads) {
      if (head.dataset.key === sort.key) head.ariaSort = sort.descending ? "descending" : "ascending";
      else head.removeAttribute("aria-sort");
    }
    body.replaceChildren();
    drawn = 0;
    draw(CHUNK);
    const all = rows.filter((row) => row.figures[view]).length;
    byId("count").textContent = shown.length === all
      ? `${whole.format(all)} crashes` : `${whole.format(shown.length)} of ${whole.format(all)} crashes`;
  };

  for (const head of heads) {
    head.querySelector("button").addEventListener("click", () => {
      sort.descending = sort.key === head.dataset.key && !sort.descending;
      sort.key = head.dataset.key;
      update();
    });
  }
  const form = document.querySelector(".filters");
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  byId("clear").addEventListener("click", () => { form.reset(); update(); });
  for (const input of document.querySelectorAll("input[name=view]")) {
    if (input.checked) view = Number(input.value);
    input.addEventListener("change", () => { view = Number(input.value); update(); });
  }
  more.addEventListener("click", () => {
    const first = drawn;
    draw(CHUNK);
    const next = shown[first] && body.querySelector(`tr[data-crash="${shown[first].number}"] button`);
    if (next) next.focus();
  });
  // Rows come by themselves when the end of the table is near; the button is for keyboards.
  new IntersectionObserver((entries) => {
    if (entries.some((it) => it.isIntersecting) && drawn < shown.length) draw(CHUNK);
  }, { rootMargin: "400px" }).observe(more.parentElement);
  addEventListener("beforeprint", () => draw(shown.length));

  // A link to a crash opens its row, whatever the filters say.
  const follow = () => {
    const number = Number(/^#crash-(\d+)$/.exec(location.hash)?.[1] ?? NaN);
    const row = rows[number];
    if (!row || !row.details || !row.figures[view]) return;
    if (!shown.includes(row)) { form.reset(); update(); }
    if (shown.indexOf(row) >= drawn) draw(shown.indexOf(row) + 1 - drawn);
    const button = body.querySelector(`tr[data-crash="${number}"] .open`);
    if (!opened.has(number)) toggle(number, button);
    button.focus({ preventScroll: true });
    button.closest("tr").scrollIntoView();
  };
  addEventListener("hashchange", follow);
  update();
  follow();
})();
