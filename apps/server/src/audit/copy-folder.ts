import { createReadStream } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CopiedEntry } from './copy-line.ts'
import { readLine } from './copy-line.ts'

const fileOf = (day: string): string => `audit-${day}.jsonl`
const isOurs = /^audit-\d{4}-\d{2}-\d{2}\.jsonl$/
const newLine = 10

/** The folder of a copy: one file a day (UTC), only ever appended to, so that it may stand on storage that allows nothing else. */
export class CopyFolder {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** The files, oldest first. */
  async files(): Promise<string[]> {
    return (await readdir(this.path)).filter((name) => isOurs.test(name)).sort()
  }

  /** The entry that was written last; null: there is none yet. Makes the folder where there is none. */
  async last(): Promise<CopiedEntry | null> {
    await mkdir(this.path, { recursive: true, mode: 0o700 })
    for (const name of (await this.files()).reverse()) {
      const found = await lastEntryOf(join(this.path, name))
      if (found) return found
    }
    return null
  }

  /** Appends lines, and waits until the disk has them. A clock that was set back goes on with the newest file. */
  async append(lines: readonly string[], now: number): Promise<void> {
    const today = fileOf(new Date(now).toISOString().slice(0, 10))
    const newest = (await this.files()).at(-1)
    const file = await open(join(this.path, newest !== undefined && newest > today ? newest : today), 'a+', 0o600)
    try {
      const { size } = await file.stat()
      const ending = Buffer.alloc(1)
      if (size > 0) await file.read(ending, 0, 1, size - 1)
      // What was cut off in the middle of a line stays a line of its own, which says nothing.
      const torn = size > 0 && ending[0] !== newLine
      await file.appendFile(`${torn ? '\n' : ''}${lines.join('\n')}\n`)
      await file.datasync()
    } finally {
      await file.close()
    }
  }

  /** Every line of every file, oldest first, with where it stands. Only a line feed ends one: what people wrote may hold U+2028. */
  async *lines(): AsyncGenerator<{ readonly where: string; readonly line: string }> {
    for (const name of await this.files()) {
      let number = 0
      let rest = ''
      for await (const part of createReadStream(join(this.path, name), 'utf8')) {
        const whole = `${rest}${part}`.split('\n')
        rest = whole.pop() ?? ''
        for (const line of whole) yield { where: `${name}:${++number}`, line }
      }
      if (rest !== '') yield { where: `${name}:${++number}`, line: rest }
    }
  }
}

/** Reads from the end, further and further back, until there is a whole entry. */
async function lastEntryOf(path: string): Promise<CopiedEntry | null> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    for (let length = Math.min(size, 65_536); length > 0; length = Math.min(size, length * 4)) {
      const bytes = Buffer.alloc(length)
      await file.read(bytes, 0, length, size - length)
      const text = bytes.toString('utf8')
      // Behind the last line's end stands what was cut off; before the first what began further up.
      const whole = text.split('\n').slice(length === size ? 0 : 1, -1)
      const found = whole
        .reverse()
        .map(readLine)
        .find((entry) => entry !== null)
      if (found) return found
      if (length === size) return null
    }
    return null
  } finally {
    await file.close()
  }
}
