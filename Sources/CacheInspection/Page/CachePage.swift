/// The page that shows a cache, and what a running program does with it: one file without other
/// resources.
///
/// Data reaches the document as text only, never as HTML. Of lists, the first elements are shown,
/// and more on request.
enum CachePage {
  /// Returns the page.
  ///
  /// - Parameters:
  ///   - name: The name of the cache.
  ///   - nonce: The word that allows the style and the script of the page.
  ///   - hasActivity: Whether the page shows calls, watches and layers too.
  /// - Returns: The HTML.
  static func html(name: String, nonce: String, hasActivity: Bool) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(escaped(String(name.split(separator: "/").last ?? ""))) – Apollo cache</title>
    <style nonce="\(nonce)">\(style)</style>
    </head>
    <body>
    <header>
    <h1 title="\(escaped(name))">\(escaped(String(name.split(separator: "/").last ?? "")))</h1>
    \(hasActivity ? views : "")
    <div id="sums"></div>
    <span id="live" role="status">connecting</span>
    <button id="pause" title="Changes wait until the page goes on.">Pause</button>
    </header>
    \(body)
    <script nonce="\(nonce)">\(script)</script>
    </body>
    </html>
    """
  }

  /// Replaces the characters that have a meaning in HTML.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  private static let views = #"""
    <div id="views" role="tablist">
    <a href="#" data-view="cache" role="tab">Cache</a>
    <a href="#calls" data-view="calls" role="tab">Calls</a>
    <a href="#state" data-view="state" role="tab">Watches and layers</a>
    </div>
    """#

  private static let body = #"""
    <section id="calls" class="wide" hidden>
    <div class="tools">
    <input id="callText" type="search" placeholder="Operation" aria-label="Operation" autocomplete="off">
    <button id="clear">Clear</button>
    <span id="callCount" class="faint"></span>
    </div>
    <div id="callList"></div>
    </section>
    <section id="state" class="wide" hidden></section>
    <div id="columns">
    <nav>
    <div id="search">
    <input id="text" type="search" placeholder="Search" aria-label="Search" autocomplete="off">
    <label><input id="values" type="checkbox"> in values</label>
    </div>
    <div id="choices">
    <select id="type" aria-label="Type"></select>
    <select id="operation" aria-label="Operation"></select>
    <select id="order" aria-label="Order">
    <option value="key">by key</option>
    <option value="bytes">largest first</option>
    <option value="age">newest first</option>
    </select>
    </div>
    <div id="kinds" role="tablist"></div>
    <p id="count"></p>
    <ul id="records"></ul>
    <button id="more" hidden>Show more</button>
    </nav>
    <main id="record" tabindex="-1"></main>
    </div>
    """#

  private static let style = #"""
    :root {
      color-scheme: light dark;
      --ground: #f6f7f9; --card: #fff; --line: #dfe3e8; --text: #1c2430; --faint: #647084;
      --accent: #3b5bdb; --accent-ground: #e8edff; --bad: #b42318; --bad-ground: #fdecea;
      --warn: #8a5a00; --warn-ground: #fff4dc; --string: #0b6e4f; --number: #7a3ea8;
      --flash: #fff0b8;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #12161d; --card: #1a202a; --line: #2c3543; --text: #e4e9f1; --faint: #93a0b4;
        --accent: #8fa8ff; --accent-ground: #25304f; --bad: #ff9a8f; --bad-ground: #43201e;
        --warn: #f1c265; --warn-ground: #3d3017; --string: #7fd6b2; --number: #cfa5f0;
        --flash: #4a4117;
      }
    }
    * { box-sizing: border-box; }
    html, body { height: 100%; }
    body {
      margin: 0; display: flex; flex-direction: column; background: var(--ground);
      color: var(--text); font: 14px/1.45 system-ui, sans-serif;
    }
    header {
      display: flex; align-items: center; gap: 8px 20px; padding: 10px 20px; flex-wrap: wrap;
      background: var(--card); border-bottom: 1px solid var(--line);
    }
    h1 { font-size: 16px; margin: 0; }
    #sums { display: flex; flex-wrap: wrap; gap: 4px 18px; color: var(--faint); flex: 1; }
    #sums b { color: var(--text); font-weight: 600; }
    #live { color: var(--faint); font-size: 12px; white-space: nowrap; }
    #live::before {
      content: ""; display: inline-block; width: 8px; height: 8px; border-radius: 50%;
      background: var(--faint); margin-right: 6px;
    }
    #live.on::before { background: #2f9e62; }
    #live.off::before { background: var(--bad); }
    [hidden] { display: none !important; }
    header button, .tools button, .rest {
      font: inherit; font-size: 13px; padding: 2px 10px; border-radius: 6px; cursor: pointer;
      border: 1px solid var(--line); background: var(--ground); color: var(--text);
    }
    header button[aria-pressed=true] { background: var(--warn-ground); color: var(--warn); }
    #views { display: flex; gap: 4px; }
    #views a {
      padding: 3px 10px; border-radius: 6px; color: var(--faint); text-decoration: none;
    }
    #views a[aria-selected=true] { background: var(--accent-ground); color: var(--accent); }
    .wide { flex: 1; min-height: 0; overflow-y: auto; padding: 14px 20px 40px; }
    .tools { display: flex; gap: 10px; align-items: center; margin-bottom: 12px; }
    .wide td.name { white-space: nowrap; }
    .wide > h2 { font-size: 15px; margin: 18px 0 8px; }
    .call {
      background: var(--card); border: 1px solid var(--line); border-radius: 8px;
      margin-bottom: 6px;
    }
    .call > summary {
      padding: 7px 12px; cursor: pointer; display: flex; gap: 4px 12px; align-items: center;
      flex-wrap: wrap;
    }
    .call > summary b { font-weight: 600; }
    .call > summary .time { margin-left: auto; }
    .call .detail { padding: 0 12px 10px; }
    .call pre {
      margin: 0; font: 12px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    .call td { font-size: 13px; padding: 4px 10px; }
    .call td:first-child { color: var(--faint); white-space: nowrap; text-align: right; width: 90px; }
    .call td:nth-child(2) { white-space: nowrap; width: 120px; }
    #columns { flex: 1; min-height: 0; display: grid; grid-template-columns: 380px 1fr; }
    nav {
      display: flex; flex-direction: column; min-height: 0; padding: 12px 0 0 0;
      border-right: 1px solid var(--line); background: var(--card);
    }
    #search, #choices, #kinds { padding: 0 14px 8px; display: flex; gap: 8px; }
    #search { align-items: center; }
    #text { flex: 1; min-width: 0; }
    input[type=search], select {
      font: inherit; color: inherit; background: var(--ground); padding: 5px 8px;
      border: 1px solid var(--line); border-radius: 6px;
    }
    select { flex: 1; min-width: 0; font-size: 13px; padding: 5px 4px; }
    #operation { flex: 1.3; }
    label { color: var(--faint); white-space: nowrap; }
    #kinds button {
      font: inherit; font-size: 13px; padding: 3px 9px; border-radius: 99px; cursor: pointer;
      border: 1px solid var(--line); background: none; color: var(--faint); white-space: nowrap;
    }
    #kinds { flex-wrap: wrap; gap: 6px; }
    #kinds button[aria-selected=true] {
      background: var(--accent-ground); border-color: var(--accent); color: var(--accent);
    }
    #count { margin: 2px 16px 6px; color: var(--faint); font-size: 12px; }
    #records { list-style: none; margin: 0; padding: 0; overflow-y: auto; flex: 1; }
    #records a {
      display: block; padding: 7px 16px; color: inherit; text-decoration: none;
      border-top: 1px solid var(--line);
    }
    #records a:hover { background: var(--ground); }
    #records a.chosen {
      background: var(--accent-ground); box-shadow: inset 3px 0 0 var(--accent);
    }
    .key, .value, .field { font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
    .key { overflow-wrap: anywhere; font-size: 13px; }
    .facts { display: flex; gap: 4px 12px; color: var(--faint); font-size: 12px; flex-wrap: wrap; }
    .tag { border-radius: 4px; padding: 0 6px; font-size: 12px; }
    .tag.bad { color: var(--bad); background: var(--bad-ground); }
    .tag.warn { color: var(--warn); background: var(--warn-ground); }
    .tag.plain { color: var(--accent); background: var(--accent-ground); }
    #more { margin: 8px 14px 12px; padding: 6px; font: inherit; }
    main { overflow-y: auto; padding: 18px 24px 40px; min-width: 0; outline: none; }
    main h2.key { font-size: 17px; margin: 0 0 6px; overflow-wrap: anywhere; }
    main h3 { font-size: 14px; margin: 26px 0 8px; }
    main .facts { font-size: 13px; margin-bottom: 14px; align-items: center; }
    table {
      border-collapse: separate; border-spacing: 0; width: 100%; background: var(--card);
      border: 1px solid var(--line); border-radius: 8px; overflow: hidden;
    }
    th {
      text-align: left; font-weight: 600; font-size: 12px; color: var(--faint);
      padding: 6px 12px; background: var(--ground);
    }
    td { padding: 7px 12px; border-top: 1px solid var(--line); vertical-align: top; }
    td.field { font-size: 13px; font-weight: 600; overflow-wrap: anywhere; max-width: 280px; }
    td.field div { font-weight: 400; color: var(--faint); font-size: 12px; }
    .referrers td.field { font-weight: 400; max-width: none; }
    td.value { font-size: 13px; overflow-wrap: anywhere; width: 60%; }
    td.when { color: var(--faint); white-space: nowrap; font-size: 12px; }
    td.when div { color: var(--text); }
    tr.flash td { animation: flash 2.5s ease-out; }
    @keyframes flash { from { background: var(--flash); } }
    .string { color: var(--string); white-space: pre-wrap; }
    .number { color: var(--number); }
    .faint { color: var(--faint); }
    .value a, .referrers a { color: var(--accent); text-decoration: none; }
    .value a:hover, .referrers a:hover { text-decoration: underline; }
    .value a.dangling { color: var(--bad); text-decoration: line-through; }
    .value ul { list-style: none; margin: 0; padding-left: 16px; border-left: 1px solid var(--line); }
    .value summary { cursor: pointer; color: var(--faint); }
    .empty { color: var(--faint); padding: 30px 0; }
    .problem { color: var(--bad); background: var(--bad-ground); padding: 8px 12px;
      border-radius: 8px; margin: 0 0 12px; }
    @media (max-width: 760px) {
      body { height: auto; }
      #sums { order: 3; flex-basis: 100%; }
      h1 { flex: 1; }
      #columns { display: block; }
      nav { border-right: none; }
      #records { max-height: 40vh; }
      td.value { width: auto; }
    }
    """#

  private static let script = #"""
    "use strict";
    const base = location.pathname;
    const $ = (id) => document.getElementById(id);
    const choice = { show: "all", order: "key", type: null, operation: null, text: "", values: false };
    const mostShown = 200;
    let shown = 0, summary = null, current = null, known = new Map(), expanded = new Map();

    function make(name, className, ...children) {
      const element = document.createElement(name);
      if (className) element.className = className;
      element.append(...children.filter((child) => child !== null && child !== undefined));
      return element;
    }
    async function ask(path, parameters = {}) {
      const query = new URLSearchParams(parameters).toString();
      const response = await fetch(base + path + (query ? "?" + query : ""));
      const json = await response.json();
      if (json.error) throw new Error(json.error);
      return json;
    }
    const plural = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
    function size(bytes) {
      if (bytes < 1000) return `${bytes} B`;
      const units = ["kB", "MB", "GB", "TB"];
      let value = bytes, unit = "";
      for (unit of units) { value /= 1000; if (value < 1000) break; }
      return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
    }
    function age(seconds) {
      if (seconds === undefined) return "";
      if (seconds < 0) return "in the future";
      if (seconds < 1) return "just now";
      for (const [unit, length] of [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]])
        if (seconds >= length) return `${Math.floor(seconds / length)} ${unit} ago`;
    }
    const link = (key) => "#k" + encodeURIComponent(key);
    // The key of the record that the address names, or null.
    function chosenKey() {
      if (!location.hash.startsWith("#k")) return null;
      try { return decodeURIComponent(location.hash.slice(2)); } catch { return null; }
    }

    // The head and the choices.

    function showSummary() {
      const whole = summary.whole;
      const item = (name, value) => make("span", "", make("b", "", value), " " + name);
      $("sums").replaceChildren(
        item(whole.records === 1 ? "record" : "records", whole.records.toLocaleString("en")),
        item("of data", size(whole.recordBytes)),
        ...(whole.storedBytes === undefined ? [] : [item("on disk", size(whole.storedBytes))]),
        item("fields", whole.fields.toLocaleString("en")),
        item("references", whole.references.toLocaleString("en")),
        ...(whole.latestWrite ? [make("span", "", "last write ",
          make("b", "", age(summary.now - Date.parse(whole.latestWrite) / 1000)))] : []));
      const kinds = [
        ["all", "All", whole.records], ["dangling", "Dangling", whole.dangling],
        ["unreachable", "Would be collected", whole.unreachable],
        ["unreadable", "Unreadable", whole.unreadable]];
      $("kinds").replaceChildren(...kinds.map(([kind, name, count]) => {
        const button = make("button", "", `${name} ${count.toLocaleString("en")}`);
        button.setAttribute("role", "tab");
        button.setAttribute("aria-selected", String(choice.show === kind));
        button.onclick = () => { choice.show = kind; showSummary(); list().catch(fail); };
        return button;
      }));
      fill($("type"), "all types", summary.types, choice.type);
      fill($("operation"), "all operations", summary.operations, choice.operation);
    }
    function fill(select, all, groups, chosen) {
      if (document.activeElement === select) return;  // it may be open
      const first = make("option", "", all);
      first.value = "";
      const options = groups.map((group) => {
        const option = make("option", "", `${group.name || "(no type)"} · ${group.records}`);
        option.value = "=" + group.name;
        return option;
      });
      select.replaceChildren(first, ...options);
      select.value = chosen === null ? "" : "=" + chosen;
      select.disabled = groups.length === 0;
    }

    // The list. Modes: "new" for another choice, "more" for the next records, "same" after a
    // change.

    let latestList = 0;
    async function list(mode = "new") {
      const number = ++latestList;
      const parameters = { show: choice.show, order: choice.order, offset: 0 };
      if (mode === "more") parameters.offset = shown;
      if (mode === "same") parameters.count = Math.max(shown, mostShown);
      if (choice.type !== null) parameters.type = choice.type;
      if (choice.operation !== null) parameters.operation = choice.operation;
      if (choice.text) parameters.text = choice.text;
      if (choice.values) parameters.values = "true";
      const { total, records } = await ask("records", parameters);
      if (number !== latestList) return;
      const items = records.map(item);
      const top = $("records").scrollTop;
      if (mode === "more") $("records").append(...items); else $("records").replaceChildren(...items);
      if (mode === "same") $("records").scrollTop = top;
      shown = (mode === "more" ? shown : 0) + records.length;
      $("count").textContent = total === shown ? plural(total, "record", "records")
        : `${shown.toLocaleString("en")} of ${plural(total, "record", "records")}`;
      $("more").hidden = shown >= total;
      mark();
    }
    function item(record) {
      const link_ = make("a", "", make("div", "key", record.key || "(empty key)"),
        make("div", "facts",
          make("span", "", record.type || "no type"), make("span", "", size(record.bytes)),
          record.age === undefined ? null : make("span", "", age(record.age)),
          record.dangling ? make("span", "tag bad", `${record.dangling} dangling`) : null,
          record.unreadable ? make("span", "tag bad", "unreadable") : null,
          record.unreachable ? make("span", "tag warn", "would be collected") : null));
      link_.href = link(record.key);
      link_.dataset.key = record.key;
      return make("li", "", link_);
    }
    function mark() {
      for (const element of $("records").querySelectorAll("a"))
        element.classList.toggle("chosen", element.dataset.key === current);
    }

    // The record.

    let latestRecord = 0;
    async function show(isUpdate = false) {
      const number = ++latestRecord;
      const key = chosenKey();
      if (key === null) return welcome();
      const record = await ask("record", { key });
      if (number !== latestRecord) return;
      const isSame = isUpdate && current === key;
      const before = isSame ? known : null;
      if (!isSame) expanded = new Map();
      current = key;
      mark();
      const main = $("record"), top = main.scrollTop;
      main.replaceChildren(make("h2", "key", record.key || "(empty key)"));
      if (record.isMissing) {
        main.append(make("p", "problem", "There is no such record. Fields that refer to it read "
          + "as cache misses."));
        if (record.near.length)
          main.append(make("p", "value", "Near keys: ", ...record.near.flatMap((key, index) =>
            [index ? ", " : "", anchor(key)])));
      } else {
        main.append(make("div", "facts",
          make("span", "tag plain", record.type || "no type"),
          make("span", "", size(record.bytes)),
          record.lastUse ? make("span", "", `last used ${record.lastUse}`) : null,
          record.unreachable ? make("span", "tag warn", "would be collected: no query leads to it")
            : null));
        for (const problem of record.problems || [])
          main.append(make("p", "problem",
            (problem.field ? `${problem.field}: ` : "") + problem.message));
        if (record.fields) main.append(table(record.fields, before));
      }
      known = new Map((record.fields || []).map((field) => [field.field, JSON.stringify(field.value)]));
      main.append(make("h3", "", record.referrers.length
        ? `Referred to by ${plural(record.referrers.length, "field", "fields")}`
        : "No field refers to it"));
      if (record.referrers.length) {
        const rows = make("tbody", "");
        fillPart(rows, "referrers", record.referrers, (place) => make("tr", "",
          make("td", "key", anchor(place.key)), make("td", "field", place.field)));
        main.append(make("table", "referrers", rows));
      }
      main.scrollTop = isSame ? top : 0;
    }
    // Appends the first elements, and a button for more. What was asked for stays after a change.
    function fillPart(parent, path, elements, element) {
      const isTable = parent.tagName === "TBODY";
      let count = 0;
      const add = () => {
        const end = Math.max(count + mostShown, expanded.get("more " + path) || 0);
        parent.append(...elements.slice(count, end).map((value, index) => element(value, count + index)));
        count = Math.min(end, elements.length);
        if (count >= elements.length) return;
        const button = make("button", "rest",
          `Show more (${count.toLocaleString("en")} of ${elements.length.toLocaleString("en")})`);
        const place = isTable ? make("tr", "", make("td", "", button)) : make("li", "", button);
        button.onclick = () => {
          expanded.set("more " + path, count + mostShown);
          place.remove();
          add();
        };
        parent.append(place);
      };
      add();
    }
    function table(fields, before) {
      const head = make("tr", "", ...["Field", "Value", "Written"].map((name) => make("th", "", name)));
      const rows = make("tbody", "");
      fillPart(rows, "fields", fields, (field) => {
        const name = make("td", "field", field.arguments ? field.name : field.field);
        for (const [argument, value] of Object.entries(field.arguments || {}))
          name.append(make("div", "", `${argument}: ${value}`));
        const when = make("td", "when", make("div", "", age(field.age)));
        if (field.time) when.title = field.time;
        if (field.operation) when.append(field.operation);
        if (field.maxAge !== undefined) {
          const isOld = field.age > field.maxAge;
          when.append(make("div", "", make("span", isOld ? "tag warn" : "faint",
            `${isOld ? "older than" : "max-age"} ${field.maxAge} s`)));
        }
        const isNew = before && before.get(field.field) !== JSON.stringify(field.value);
        return make("tr", isNew ? "flash" : "", name,
          make("td", "value", tree(field.value, new Set(field.dangling || []), field.field)), when);
      });
      return make("table", "", make("thead", "", head), rows);
    }
    function anchor(key, isDangling = false) {
      const element = make("a", isDangling ? "dangling" : "", key || "(empty key)");
      element.href = link(key);
      if (isDangling) element.title = "There is no such record.";
      return element;
    }
    function tree(value, dangling, path) {
      if (value === null) return make("span", "faint", "null");
      if (typeof value === "string") return make("span", "string", JSON.stringify(value));
      if (typeof value !== "object") return make("span", "number", String(value));
      if (Array.isArray(value)) {
        if (!value.length) return make("span", "faint", "[ ]");
        return fold(`list of ${value.length.toLocaleString("en")}`, path, value,
          (element, index) => make("li", "", tree(element, dangling, `${path}[${index}]`)));
      }
      if (typeof value.$reference === "string")
        return anchor(value.$reference, dangling.has(value.$reference));
      if (typeof value.$number === "string") return make("span", "number", value.$number);
      if (typeof value.$text === "string") return make("span", "string", value.$text);
      if ("$failure" in value)
        return make("span", "tag bad", `failed: ${value.$failure.message}`);
      const members = Object.entries(value);
      return fold(`object of ${members.length}`, path, members, ([name, member]) =>
        make("li", "", make("span", "faint", name + ": "), tree(member, dangling, `${path}.${name}`)));
    }
    // A part that can be closed, and that stays as it is after a change. Its elements are made when
    // it is open.
    function fold(title, path, elements, element) {
      const rows = make("ul", "");
      const details = make("details", "", make("summary", "", title), rows);
      const known = expanded.get("open " + path);
      const open = () => {
        if (details.open && !rows.hasChildNodes()) fillPart(rows, path, elements, element);
      };
      details.open = known === undefined ? elements.length <= 12 : known;
      open();
      details.ontoggle = () => { expanded.set("open " + path, details.open); open(); };
      return details;
    }
    function welcome() {
      current = null;
      mark();
      $("record").replaceChildren(make("p", "empty", summary && summary.whole.records
        ? "Choose a record. QUERY_ROOT has the fields of queries."
        : "The cache is empty. Records appear here when a program writes them."));
    }
    function fail(error) {
      $("record").replaceChildren(make("p", "problem", error.message));
    }

    // Calls.

    const mostCalls = 500;
    const calls = new Map();
    let lastEvent = 0;
    async function readEvents() {
      for (;;) {
        const { events, latest } = await ask("events", { after: lastEvent });
        events.forEach(addEvent);
        lastEvent = events.length ? events[events.length - 1].number : latest;
        if (lastEvent >= latest) break;
      }
      countCalls();
    }
    function addEvent(event) {
      let call = calls.get(event.call);
      if (!call) {
        call = addCall(event);
        calls.set(event.call, call);
        if (calls.size > mostCalls) {
          const [oldest, removed] = calls.entries().next().value;
          removed.element.remove();
          calls.delete(oldest);
        }
      }
      if (event.variables) call.detail.prepend(make("pre", "", "variables " + event.variables));
      const text = make("td", "", event.text);
      if (event.headers)
        text.append(make("details", "", make("summary", "faint", plural(event.headers.length, "header", "headers")),
          make("pre", "", event.headers.join("\n"))));
      call.rows.append(make("tr", "", make("td", "", `+${event.milliseconds} ms`),
        make("td", "", event.kind), text));
      if (event.kind === "cacheRead") call.notes.append(make("span", "faint", "cache " + event.text.split(" ")[0]));
      if (event.kind === "firstByte") call.notes.append(make("span", "faint", event.text));
      if (event.kind === "retried" || event.kind === "joined")
        call.notes.append(make("span", "tag warn", event.kind));
      if (event.isLast) {
        call.state.textContent = event.kind;
        call.state.className = event.kind === "failed" ? "tag bad"
          : event.kind === "cancelled" ? "tag warn" : "tag plain";
        call.duration.textContent = `${event.milliseconds} ms`;
      }
    }
    function addCall(event) {
      const call = {
        state: make("span", "tag", "running"), notes: make("span", "facts"),
        duration: make("span", "faint", ""), rows: make("tbody", ""), detail: make("div", "detail"),
      };
      const time = new Date(event.at * 1000).toLocaleTimeString("en", { hour12: false });
      call.element = make("details", "call",
        make("summary", "", call.state, make("b", "", event.operation), call.notes, call.duration,
          make("span", "faint time", time)), call.detail);
      call.detail.append(make("table", "", call.rows));
      call.name = event.operation.toLowerCase();
      call.element.hidden = !call.name.includes($("callText").value.toLowerCase());
      $("callList").prepend(call.element);
      return call;
    }
    function countCalls() {
      $("callCount").textContent = calls.size ? plural(calls.size, "call", "calls")
        : "Calls appear here when the program makes them.";
    }

    // Watches and layers.

    async function showState() {
      const state = await ask("state");
      const section = $("state"), top = section.scrollTop;
      const opened = new Set([...section.querySelectorAll("details[open]")].map((one) => one.dataset.id));
      const part = (id, count, records, row) => {
        const details = make("details", "",
          make("summary", "", plural(count, "record", "records")),
          make("ul", "", ...records.map((record) => make("li", "", anchor(record.key), " ", row(record))),
            count > records.length ? make("li", "faint", "…") : null));
        details.dataset.id = id;
        details.open = opened.has(id);
        return details;
      };
      const rows = (cells) => make("table", "", make("tbody", "", ...cells.map((row) =>
        make("tr", "", ...row.map((cell, index) => make("td", index < 2 ? "name" : "value", cell))))));
      const layers = state.layers.map((layer) => [
        make("b", "", `${layer.isWaiting ? "waiting mutation" : "mutation"} ${layer.number}`),
        make("span", "tag " + (layer.state === "optimistic" ? "warn" : "plain"), layer.state),
        part("layer " + layer.isWaiting + layer.number, layer.recordCount, layer.records, (record) =>
          record.value === null ? make("span", "tag bad", "removed")
            : tree(record.value, new Set(), `layer ${layer.number} ${record.key}`)),
      ]);
      const watches = state.watches.map((watch) => [
        make("b", "", watch.name || "watch"),
        watch.dependsOnEverything ? make("span", "tag warn", "every change") : make("span", "", ""),
        part("watch " + watch.number, watch.recordCount, watch.records,
          (record) => make("span", "faint", record.fields.join(", "))),
      ]);
      section.replaceChildren(
        make("h2", "", plural(state.layers.length, "optimistic layer", "optimistic layers")),
        layers.length ? rows(layers)
          : make("p", "faint", "No mutation with optimistic data is under way."),
        make("h2", "", plural(state.watchCount, "watch", "watches")),
        watches.length ? rows(watches) : make("p", "faint", "Nothing is watched."),
        make("p", "faint", state.watchCount > watches.length
          ? `${watches.length} watches with data are shown.` : ""));
      section.scrollTop = top;
    }
    function view() {
      const name = ["#calls", "#state"].includes(location.hash) ? location.hash.slice(1) : "cache";
      return $("views") ? name : "cache";
    }
    function showView() {
      $("calls").hidden = view() !== "calls";
      $("state").hidden = view() !== "state";
      $("columns").hidden = view() !== "cache";
      for (const tab of document.querySelectorAll("#views a"))
        tab.setAttribute("aria-selected", String(tab.dataset.view === view()));
      if (view() === "state") showState().catch(failState);
      if (view() === "cache") show().catch(fail);
    }
    const failState = (error) => $("state").replaceChildren(make("p", "problem", error.message));

    // Events.

    let timer;
    $("text").oninput = () => {
      clearTimeout(timer);
      timer = setTimeout(() => { choice.text = $("text").value; list().catch(fail); }, 150);
    };
    $("values").onchange = () => { choice.values = $("values").checked; list().catch(fail); };
    $("order").onchange = () => { choice.order = $("order").value; list().catch(fail); };
    for (const name of ["type", "operation"])
      $(name).onchange = () => {
        choice[name] = $(name).value ? $(name).value.slice(1) : null;
        list().catch(fail);
      };
    $("more").onclick = () => list("more").catch(fail);
    $("callText").oninput = () => {
      for (const call of calls.values())
        call.element.hidden = !call.name.includes($("callText").value.toLowerCase());
    };
    $("clear").onclick = () => {
      for (const call of calls.values()) call.element.remove();
      calls.clear();
      countCalls();
    };
    addEventListener("hashchange", showView);

    // Changes. One refresh runs at a time; a change meanwhile causes one more, and changes wait
    // while the page is paused.

    let isPaused = false, isRefreshing = false, latestVersion = null, isChanged = false;
    let isActive = false, isReadingActivity = false;
    async function refresh(isUpdate) {
      if (isRefreshing) { isChanged = true; return; }
      isRefreshing = true;
      try {
        do {
          isChanged = false;
          summary = await ask("summary");
          showSummary();
          await Promise.all([list(isUpdate ? "same" : "new"),
            view() === "cache" ? show(isUpdate) : null]);
          isUpdate = true;
        } while (isChanged && latestVersion !== summary.version && !isPaused);
      } finally { isRefreshing = false; }
    }
    async function readActivity() {
      if (isReadingActivity) { isActive = true; return; }
      isReadingActivity = true;
      try {
        do {
          isActive = false;
          await readEvents();
          if (view() === "state") await showState();
        } while (isActive && !isPaused);
      } finally { isReadingActivity = false; }
    }
    $("pause").onclick = () => {
      isPaused = !isPaused;
      $("pause").textContent = isPaused ? "Go on" : "Pause";
      $("pause").setAttribute("aria-pressed", String(isPaused));
      if (isPaused) return;
      if (isChanged) refresh(true).catch(fail);
      if (isActive) readActivity().catch(failState);
    };
    if ($("views")) { countCalls(); readActivity().catch(failState); }
    showView();
    refresh(false).catch(fail);
    const changes = new EventSource(base + "changes");
    changes.onmessage = (event) => {
      $("live").className = "on";
      $("live").textContent = "live";
      latestVersion = event.data;
      if (isPaused || isRefreshing) { isChanged = true; return; }
      if (!summary || latestVersion !== summary.version) refresh(true).catch(fail);
    };
    changes.addEventListener("activity", () => {
      if (isPaused) { isActive = true; return; }
      readActivity().catch(failState);
    });
    changes.onerror = () => {
      $("live").className = "off";
      $("live").textContent = "not connected";
    };
    """#
}
