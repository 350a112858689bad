import { hash } from 'node:crypto'
import { setImmediate as breath } from 'node:timers/promises'
import { dictionary } from '@zxcvbn-ts/language-common'
import { isMd5OfShort } from './short-md5.ts'

/** How people write a letter otherwise so that a word counts as a password. */
const lookalikes = [
  ['a', '@'],
  ['e', '3'],
  ['i', '1'],
  ['o', '0'],
  ['s', '$'],
] as const
/** What people add to a word of their own. */
const endings = [
  '',
  '1',
  '12',
  '123',
  '1234',
  '12345',
  '123456',
  '!',
  '@',
  '#',
  '@123',
  '#123',
  '666',
  '888',
  '8888',
  '2580',
  '1314',
]
const yearsBack = 6
const usualWords = [
  'linewarden',
  'admin',
  'administrator',
  'root',
  'system',
  'operator',
  'test',
  'user',
  'guest',
  'password',
  'demo',
]
const maxCommonPasswords = 10_000
const wordsAtATime = 500

let common: Promise<ReadonlySet<number>> | null = null

/**
 * Whether a password, of which only the MD5 comes over the wire, must be refused: up to three characters, among the 10,000 most common in any
 * usual spelling, or one of these words with what people add to them.
 */
export async function isGuessable(passwordMd5: string, ownWords: readonly string[], now: number): Promise<boolean> {
  const key = keyOf(passwordMd5)
  if (ownGuesses(ownWords, new Date(now).getFullYear()).some((guess) => keyOfText(guess) === key)) return true
  common ??= commonKeys()
  return (await common).has(key) || (await isMd5OfShort(passwordMd5))
}

function ownGuesses(ownWords: readonly string[], year: number): readonly string[] {
  const years = Array.from({ length: yearsBack + 2 }, (_, back) => String(year + 1 - back))
  const words = [...usualWords, ...ownWords].flatMap((word) => [word, word.replace(/\s+/g, '')])
  const spelled = [...new Set(words)].filter((word) => word !== '').flatMap(spellings)
  return spelled.flatMap((word) => [...endings, ...years].map((ending) => word + ending))
}

/** Its table is made once, in slices: breakers are operated meanwhile. */
async function commonKeys(): Promise<ReadonlySet<number>> {
  const words = ['', ...(dictionary['passwords-common'] ?? []).slice(0, maxCommonPasswords).map(String)]
  const keys = new Set<number>()
  for (let from = 0; from < words.length; from += wordsAtATime) {
    for (const guess of words.slice(from, from + wordsAtATime).flatMap(spellings)) keys.add(keyOfText(guess))
    await breath()
  }
  return keys
}

/** As it stands, with a capital, in capitals, and each with some letters written otherwise. */
function spellings(word: string): readonly string[] {
  let all = [word, word.toLowerCase()]
  for (const [letter, like] of lookalikes)
    if (all.some((each) => each.includes(letter))) all = all.concat(all.map((each) => each.replaceAll(letter, like)))
  return [...new Set(all.flatMap((each) => [each, each.charAt(0).toUpperCase() + each.slice(1), each.toUpperCase()]))]
}

/** 48 of the 128 bits: among so few no two words meet by chance. */
const keyOf = (md5: string): number => Number.parseInt(md5.slice(0, 12), 16)
const keyOfText = (text: string): number => keyOf(hash('md5', text))
