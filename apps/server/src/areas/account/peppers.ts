import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { caught } from '../../lib/faults.ts'
import { StartRefusal } from '../../lib/start-refusal.ts'
import type { SealedKind, UnderPepper } from '../../store/account/pepper.ts'
import * as stored from '../../store/account/pepper.ts'
import type { Database } from '../../store/core/database.ts'
import { unlessAway } from '../../store/core/database-away.ts'
import { passwordPurpose } from './passwords.ts'
import { Peppers, Seal } from './secrets.ts'

const shortest = 32
const inBatch = 200
const usual: ReadonlySet<string> = new Set(['changeme', 'secret', 'password', 'pepper', 'linewarden'])

const purposes: Readonly<Record<SealedKind, string>> = {
  'sign-in passwords': passwordPurpose,
  'control passwords': passwordPurpose,
  sessions: 'session tokens',
  'second factors': 'second factors',
  'push secrets': 'push secrets',
  'push keys': 'push secrets',
}

export interface PepperDeps {
  readonly database: Database
  /** LINEWARDEN_PEPPER; left out, they are files of the data folder. */
  readonly given: string | undefined
  readonly dataDir: string
  /** Versions that will not come back: what still stands under them is lost. */
  readonly givenUp: readonly number[]
  readonly clock: () => number
  readonly log: Logger
}

/**
 * The server's own secrets: from LINEWARDEN_PEPPER, or the files `pepper` (version 1), `pepper.2` ... of the data folder's secrets. The first is
 * made (mode 600) for a database in which nothing stands under any. Throws StartRefusal when one is weak, is not the one this database was
 * written with, or is missing while something stands under it.
 */
export async function openPeppers(deps: PepperDeps): Promise<Peppers> {
  const { database, given, dataDir, givenUp, clock, log } = deps
  const under = await stored.underPeppers(database)
  const found = given === undefined ? await fromFiles(join(dataDir, 'secrets'), under.length === 0) : fromSetting(given)
  const missing = under.filter(({ version }) => !found.has(version) && !givenUp.includes(version))
  if (missing.length > 0 || found.size === 0) throw missingPepper(missing, given === undefined ? join(dataDir, 'secrets') : null)
  for (const [version, secret] of found) {
    const print = fingerprintOf(secret)
    if ((await stored.keepFingerprint(database, version, print, clock())) !== print) throw otherPepper(version)
  }
  const peppers = new Peppers(found)
  for (const { version, kind, rows } of under.filter(({ version }) => !found.has(version)))
    log.warn(`pepper version ${version} was given up: ${rows} ${kind} that stand under it cannot be used any more`)
  return peppers
}

/**
 * Seals what stands under older versions under the newest, a few at a time, until all is done or it is told to stop. What remains are passwords
 * from before versions and old recovery codes: those wait for their person.
 */
export function startResealing({ database, peppers, log }: { database: Database; peppers: Peppers; log: Logger }) {
  let isStopping = false
  const done = reseal().catch((error) => caught(log, 'job', error))
  return {
    done,
    async close() {
      isStopping = true
      await done
    },
  }

  async function reseal(): Promise<void> {
    for (const kind of stored.sealedKinds) {
      const seal = new Seal(peppers, purposes[kind])
      const anew = (text: string) => {
        const opened = seal.open(text)
        return opened === null ? null : seal.seal(opened)
      }
      let after: string | null = null
      do {
        after = isStopping ? null : await stored.sealAnew(database, kind, { newest: peppers.newest, after, most: inBatch, anew })
      } while (after !== null)
    }
    const older = (await stored.underPeppers(database)).filter(({ version }) => version !== peppers.newest)
    if (peppers.versions.length > 1)
      log.info(
        { older },
        older.length > 0 ? 'some still stand under older peppers' : 'nothing stands under an older pepper any more',
      )
  }
}

/** How many stand under which version: one whose counts are nought may be taken away. */
export const peppersMeasured = (database: Database): Gauge =>
  new Gauge({
    name: 'linewarden_under_pepper',
    help: 'What stands under each version of the pepper, by kind',
    labelNames: ['version', 'kind'] as const,
    registers: [],
    async collect() {
      this.reset()
      for (const { version, kind, rows } of (await unlessAway(stored.underPeppers(database))) ?? [])
        this.set({ version: String(version), kind }, rows)
    },
  })

/** By which a secret is known again; it tells nothing of it that what is sealed does not tell. */
const fingerprintOf = (secret: Buffer): string =>
  createHash('sha256').update('linewarden pepper ').update(secret).digest('hex').slice(0, 32)

/** `2:secret,1:secret`, or one secret by itself, which is version 1. */
function fromSetting(given: string): Map<number, Buffer> {
  const parts = /^\d{1,4}:/.test(given) ? given.split(',') : [`1:${given}`]
  const found = new Map<number, Buffer>()
  for (const part of parts) {
    const [, version = '', secret = ''] = /^\s*(\d{1,4}):(.*)$/s.exec(part) ?? []
    if (Number(version) < 1 || found.has(Number(version)))
      throw new StartRefusal('bad_pepper', {
        en: 'LINEWARDEN_PEPPER cannot be read: one secret, or version:secret, separated by commas, each version once, is needed.',
        zh: 'LINEWARDEN_PEPPER 无法识别：应为单个密钥，或以逗号分隔的“版本:密钥”，每个版本只能出现一次。',
      })
    if (secret.length < shortest || usual.has(secret.toLowerCase()) || /^(.)\1*$/.test(secret))
      throw new StartRefusal('weak_pepper', {
        en: `LINEWARDEN_PEPPER (version ${version}) is too weak: at least ${shortest} random characters are needed. Leave it out to have one generated.`,
        zh: `LINEWARDEN_PEPPER（版本 ${version}）过弱：至少需要 ${shortest} 个随机字符。不设置则自动生成。`,
      })
    found.set(Number(version), Buffer.from(secret))
  }
  return found
}

async function fromFiles(folder: string, mayMake: boolean): Promise<Map<number, Buffer>> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = async () => (await readdir(folder)).filter((name) => /^pepper(\.([2-9]|[1-9]\d{1,3}))?$/.test(name))
  if (mayMake && (await names()).length === 0) await make(join(folder, 'pepper'))
  const found = new Map<number, Buffer>()
  for (const name of await names()) {
    const file = join(folder, name)
    await chmod(file, 0o600)
    const text = await readFile(file, 'utf8')
    // The first always counted as it stands in its file; those that people write may end with a line's end.
    const secret = name === 'pepper' ? text : text.trim()
    if (secret.length < shortest || /^(.)\1*$/.test(secret))
      throw new StartRefusal('bad_pepper', {
        en: `${file} is damaged or too short (${shortest} random characters are needed). Restore it from your backup: without it no password can be checked.`,
        zh: `${file} 已损坏或过短（至少需要 ${shortest} 个随机字符），请从备份恢复：没有它无法校验任何密码。`,
      })
    found.set(Number(name.split('.')[1] ?? 1), Buffer.from(secret))
  }
  return found
}

async function make(file: string): Promise<void> {
  try {
    await writeFile(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function missingPepper(missing: readonly UnderPepper[], folder: string | null): StartRefusal {
  const versions = [...new Set(missing.map(({ version }) => version))]
  const which = versions.join(', ') || '1'
  const counts = missing.map(({ kind, rows }) => `${rows} ${kind}`).join(', ')
  const place = folder === null ? 'LINEWARDEN_PEPPER' : join(folder, versions[0] === 1 ? 'pepper' : `pepper.${versions[0] ?? 1}`)
  return new StartRefusal('missing_pepper', {
    en: `The pepper of version ${which} is missing (${place}), and the database has what only it opens: ${counts}. Restore it from your backup. If it is gone for good, see "Peppers" in docs/operations.md (LINEWARDEN_PEPPERS_GIVEN_UP).`,
    zh: `缺少版本 ${which} 的密钥（${place}），而数据库中有只能用它打开的内容。请从备份恢复该密钥；若确已丢失，请参阅 docs/operations.md 的 “Peppers” 一节（LINEWARDEN_PEPPERS_GIVEN_UP）。`,
  })
}

const otherPepper = (version: number): StartRefusal =>
  new StartRefusal('other_pepper', {
    en: `The pepper of version ${version} is not the one with which this database was written. Restore that one from your backup; a new pepper gets a version of its own.`,
    zh: `版本 ${version} 的密钥与写入此数据库时所用的不一致。请从备份恢复原密钥；新密钥须使用新的版本号。`,
  })
