// Speaks for two packages of npm: reads "locale TAB kind TAB number", writes the words, one line each.
//   node node.mjs n2words|to-words FOLDER     FOLDER is the package's, unpacked
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [, , name, folder] = process.argv;
const load = (path) => import(pathToFileURL(`${folder}/dist/${path}`));

// Each gives the functions of a locale.
const packages = {
  'n2words': (locale) => load(`${locale}.js`),
  'to-words': async (locale) => {
    const { ToWords } = await load('esm/ToWords.js');
    const words = new ToWords({ localeCode: locale });
    return { toCardinal: (n) => words.convert(String(n)), toOrdinal: (n) => words.toOrdinal(Number(n)) };
  },
};

const locales = new Map();
const answers = [];
for await (const line of createInterface({ input: process.stdin })) {
  const [locale, kind, number] = line.split('\t');
  if (!locales.has(locale)) locales.set(locale, await packages[name](locale));
  const m = locales.get(locale);
  let said = '';
  try {
    const n = number.includes('.') ? number : BigInt(number);
    if (kind === 'ordinal') said = m.toOrdinal(n);
    else if (kind !== 'year') said = m.toCardinal(n);
  } catch { /* no answer */ }
  answers.push(said);
}
process.stdout.write(answers.join('\n') + '\n');
