// Speaks for n2words (npm): reads "locale TAB kind TAB number", writes the words, one line each.
//   NODE_PATH is not read by modules: run it where node_modules/n2words is.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
const modules = new Map();
const answers = [];
for await (const line of createInterface({ input: process.stdin })) {
  const [locale, kind, number] = line.split('\t');
  if (!modules.has(locale)) {
    modules.set(locale, await import(pathToFileURL(`${process.argv[2]}/dist/${locale}.js`)));
  }
  const m = modules.get(locale);
  let said = '';
  try {
    const n = number.includes('.') ? number : BigInt(number);
    if (kind === 'ordinal') said = m.toOrdinal(n);
    else if (kind !== 'year') said = m.toCardinal(n);
  } catch { /* no answer */ }
  answers.push(said);
}
process.stdout.write(answers.join('\n') + '\n');
