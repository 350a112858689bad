import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The server's own secrets, by version. At least one; what is written is written under the newest. */
export class Peppers {
  readonly newest: number
  readonly #secrets: ReadonlyMap<number, Buffer>

  constructor(secrets: ReadonlyMap<number, Buffer>) {
    this.#secrets = secrets
    this.newest = Math.max(...secrets.keys())
  }

  get versions(): number[] {
    return [...this.#secrets.keys()].sort((a, b) => a - b)
  }

  /** Null when there is no such version. */
  of(version: number): Buffer | null {
    return this.#secrets.get(version) ?? null
  }

  /** A key of its own for each purpose; null when there is no such version. */
  keyFor(version: number, purpose: string): Buffer | null {
    const secret = this.of(version)
    return secret && Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `linewarden ${purpose}`, 32))
  }
}

/** The version a stored text says that it stands under, and the rest of it; null: it says none. */
export function versionOf(stored: string): { version: number; rest: string } | null {
  const [, version, rest] = /^(\d{1,4})\.(.*)$/s.exec(stored) ?? []
  return version === undefined || rest === undefined ? null : { version: Number(version), rest }
}

/** What the server must read again is stored sealed: a copy of the database alone opens no session and makes no code. */
export class Seal {
  readonly #newest: number
  readonly #keys: ReadonlyMap<number, Buffer>

  constructor(peppers: Peppers, purpose: string) {
    this.#newest = peppers.newest
    this.#keys = new Map(
      peppers.versions.flatMap((version) => {
        const key = peppers.keyFor(version, purpose)
        return key ? [[version, key] as const] : []
      }),
    )
  }

  /** Under the newest version, which stands before it. */
  seal(text: string): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(this.#newest), iv)
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${this.#newest}.${sealed.toString('base64url')}`
  }

  /** Null when it was sealed under a pepper that is not here. */
  open(stored: string): string | null {
    const { version, rest } = versionOf(stored) ?? {}
    const key = version === undefined ? undefined : this.#keys.get(version)
    if (!key || rest === undefined) return null
    const bytes = Buffer.from(rest, 'base64url')
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
    } catch {
      return null
    }
  }

  #keyOf(version: number): Buffer {
    const key = this.#keys.get(version)
    if (!key) throw new Error(`there is no pepper of version ${version}`)
    return key
  }
}
