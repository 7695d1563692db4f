"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const body = document.querySelector("#table tbody");
  const heads = [...document.querySelectorAll("#table th")];
  const search = byId("search"), only = byId("only"), previous = byId("previous"), next = byId("next"), shown = byId("shown");
  const [ID, SPEAKER, , , SECONDS, FRAMES, PACE, TEXT, SPOKEN, FOUND, MEDIA, RULES] = Array.from({length: 12}, (_, i) => i);
  const perPage = 25;
  // What is searched, made once for each row.
  const haystack = data.rows.map((r) => [r[ID], r[SPEAKER], r[TEXT], r[SPOKEN] || ""].join("\n").toLowerCase());
  let order = data.rows.map((_, i) => i), sorted = -1, down = false, first = 0;

  const number = (v, places) => v.toFixed(places).replace(/\B(?=(\d{3})+(?!\d))/g, places ? "$&" : ",")
    .replace(/[0-9.,]/g, (c) => (c === "." ? data.point : c === "," ? data.comma : [...data.digits][c]));
  const cell = (tr, text, kind) => {
    const td = tr.appendChild(document.createElement("td"));
    if (kind === "number") {
      td.className = kind;
      td.textContent = text;
      return td;
    }
    const bdi = td.appendChild(document.createElement("bdi"));
    if (kind) bdi.className = kind;
    bdi.textContent = text;
    return td;
  };
  const draw = () => {
    const rows = order.slice(first, first + perPage).map((i) => {
      const r = data.rows[i], tr = document.createElement("tr");
      const id = cell(tr, r[ID], "id");
      if (r[MEDIA] >= 0) {
        const a = id.appendChild(document.createElement("a"));
        a.href = "#media-" + r[MEDIA];
        a.textContent = " ♪";
        a.setAttribute("aria-label", data.words.play + " " + r[ID]);
      }
      for (const at of [1, 2, 3]) cell(tr, r[at]);
      cell(tr, number(r[SECONDS], 2), "number");
      cell(tr, number(r[FRAMES], 0), "number");
      cell(tr, number(r[PACE], 1), "number");
      const text = cell(tr, r[TEXT]);
      if (r[SPOKEN] !== null) {
        const p = text.appendChild(document.createElement("div"));
        p.className = "spoken";
        p.append(data.words.arrow + " ");
        p.appendChild(document.createElement("bdi")).textContent = r[SPOKEN];
        if (r[RULES].length > 0) {
          const rules = text.appendChild(document.createElement("div"));
          rules.className = "fine";
          rules.textContent = data.words.rules + ": " + r[RULES].map((n) => data.rules[n]).join(", ");
        }
      }
      cell(tr, r[FOUND].map((c) => data.checks[c]).join("; "));
      return tr;
    });
    body.replaceChildren(...rows);
    const values = [order.length ? first + 1 : 0, Math.min(first + perPage, order.length), order.length];
    shown.textContent = data.words.page.replace(/%s/g, () => number(values.shift(), 0));
    previous.disabled = first === 0;
    next.disabled = first + perPage >= order.length;
  };
  const compare = (a, b) => (typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0);
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    order = data.rows.map((_, i) => i).filter((i) => (!only.checked || data.rows[i][FOUND].length > 0) && words.every((w) => haystack[i].includes(w)));
    if (sorted >= 0) {
      const key = sorted === FOUND ? (i) => data.rows[i][FOUND].length : (i) => data.rows[i][sorted];
      order.sort((a, b) => (down ? -1 : 1) * compare(key(a), key(b)) || a - b);
    }
    first = 0;
    draw();
  };
  for (const th of heads) {
    const button = th.querySelector("button");
    button.addEventListener("click", () => {
      const column = Number(button.dataset.column);
      down = sorted === column && !down;
      sorted = column;
      for (const other of heads) other.setAttribute("aria-sort", other !== th ? "none" : down ? "descending" : "ascending");
      filter();
    });
  }
  search.addEventListener("input", filter);
  only.addEventListener("change", filter);
  previous.addEventListener("click", () => { first -= perPage; draw(); });
  next.addEventListener("click", () => { first += perPage; draw(); });
  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && !e.ctrlKey && !e.metaKey && !e.altKey && document.activeElement !== search) {
      e.preventDefault();
      search.focus();
    }
  });
  addEventListener("beforeprint", () => { for (const d of document.querySelectorAll("details")) d.open = true; });
  draw();
})();
