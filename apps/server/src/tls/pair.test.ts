import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StartRefusal } from '../lib/start-refusal.ts'
import { fitting, notValid, readPair } from './pair.ts'
import { testCertificate } from './test-certificate.ts'

const day = 86_400_000
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewarden-pair-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function judged(given: Partial<Record<'cert' | 'key', string>>) {
  const files = { cert: join(folder, 'own.crt'), key: join(folder, 'own.key') }
  for (const name of ['cert', 'key'] as const) {
    await rm(files[name], { force: true })
    if (given[name] !== undefined) await writeFile(files[name], given[name])
  }
  return fitting(await readPair(files), files)
}

const good = testCertificate()
const withPassphrase = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'x',
})
const short = generateKeyPairSync('rsa', { modulusLength: 512 })

test('a certificate with its key is used, also with its chain behind it', async () => {
  const own = await judged(good)
  expect(own.checkHost('localhost')).toBe('localhost')
  expect((await judged({ ...good, cert: good.cert + testCertificate().cert })).raw).toEqual(own.raw)
})

test.each([
  ['no certificate', { key: good.key }, /own\.crt cannot be read \(ENOENT\)/],
  ['no key', { cert: good.cert }, /own\.key cannot be read \(ENOENT\)/],
  ['a file that is no certificate', { cert: 'x', key: good.key }, /own\.crt holds no certificate/],
  ['the files the wrong way round', { cert: good.key, key: good.cert }, /own\.crt holds no certificate/],
  ['a file that is no key', { cert: good.cert, key: good.cert }, /own\.key holds no private key/],
  ['a key with a passphrase', { cert: good.cert, key: String(withPassphrase) }, /passphrase/],
  ['the key of another certificate', { cert: good.cert, key: testCertificate().key }, /does not belong/],
  [
    'a key that anybody can break',
    {
      cert: testCertificate({ publicKey: short.publicKey }).cert,
      key: String(short.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    },
    /TLS cannot use .* too small/,
  ],
])('%s is told in both languages, with the file and what to do', async (_, given, words) => {
  const refusal = await judged(given).catch((error) => error)
  expect(refusal).toBeInstanceOf(StartRefusal)
  expect(refusal.message).toMatch(words)
  expect(refusal.readable).toMatch(/请.*\p{Script=Han}/u)
  expect(refusal.readable).not.toContain('-----BEGIN PRIVATE')
})

test.each([
  ['one that has expired', { to: Date.now() - day / 2 }, /^The certificate own\.crt expired on 20\d\d-\d\d-\d\d\. Renew/],
  ['one of tomorrow', { from: Date.now() + day }, /not valid before 20\d\d-\d\d-\d\d\. Set this machine's clock right/],
])('%s fits all the same; that it is not valid is told in both languages', async (_, dates, words) => {
  const why = notValid(await judged(testCertificate(dates)), 'own.crt', Date.now())
  expect(why?.en).toMatch(words)
  expect(why?.zh).toMatch(/20\d\d-\d\d-\d\d.*请.*时钟/)
})

test('a certificate is valid from its first moment to its last', async () => {
  const [from, to] = [Date.UTC(2030, 0, 1), Date.UTC(2030, 3, 1)]
  const leaf = await judged(testCertificate({ from, to }))
  expect([from - 1, from, to - 1, to].map((now) => notValid(leaf, 'own.crt', now) === null)).toEqual([false, true, true, false])
})
