import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartRefusal } from '../../start-refusal.ts'

const shortest = 32
const known: ReadonlySet<string> = new Set(['changeme', 'secret', 'password', 'pepper', 'linewarden'])

/**
 * The server's own secret: from LINEWARDEN_PEPPER, or generated into the data folder (mode 600) on first start. Throws StartRefusal when it
 * is empty, short or one of the usual placeholders.
 */
export async function readPepper(given: string | undefined, dataDir: string): Promise<Buffer> {
  if (given !== undefined) {
    if (given.length < shortest || known.has(given.toLowerCase()) || /^(.)\1*$/.test(given)) {
      throw new StartRefusal('weak_pepper', {
        en: `LINEWARDEN_PEPPER is too weak: at least ${shortest} random characters are needed. Leave it out to have one generated.`,
        zh: `LINEWARDEN_PEPPER 过弱：至少需要 ${shortest} 个随机字符。不设置则自动生成。`,
      })
    }
    return Buffer.from(given)
  }
  const folder = join(dataDir, 'secrets')
  const file = join(folder, 'pepper')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await writeFile(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  await chmod(file, 0o600)
  const found = await readFile(file, 'utf8')
  if (found.length >= shortest) return Buffer.from(found)
  throw new StartRefusal('bad_pepper', {
    en: `${file} is damaged. Restore it from your backup: without it no password can be checked.`,
    zh: `${file} 已损坏，请从备份恢复：没有它无法校验任何密码。`,
  })
}

/** A key of its own for each purpose, from the server's secret. */
export const keyFrom = (pepper: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', pepper, Buffer.alloc(0), `linewarden ${purpose}`, 32))

/** What the server must read again is stored sealed: a copy of the database alone opens no session and makes no code. */
export class Seal {
  readonly #key: Buffer

  constructor(pepper: Buffer, purpose: string) {
    this.#key = keyFrom(pepper, purpose)
  }

  seal(text: string): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv)
    return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
  }

  /** Null when it was sealed under another pepper. */
  open(sealed: string): string | null {
    const bytes = Buffer.from(sealed, 'base64url')
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
    } catch {
      return null
    }
  }
}
