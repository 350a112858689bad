import { SLOTS } from '@linewarden/equipment'
import type { Batch } from './batch.ts'

export const readingColumns = `line_id, at, received_at, quality, ${Array.from({ length: SLOTS - 1 }, (_, i) => `v${i}`).join(', ')}, counter`

const fields = SLOTS + 4
const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const rowBytes = 2 + 8 + 12 + 12 + 6 + (SLOTS - 1) * 8 + 12
// PostgreSQL counts microseconds from the year 2000.
const epochMs = Date.UTC(2000, 0, 1)

/** Writes batches as PostgreSQL's binary COPY format, into one buffer that is used again. */
export class RowWriter {
  #buffer = Buffer.allocUnsafe(header.length + rowBytes * 6_000 + 2)

  /** The batch's rows, or some of them; valid until the next call. */
  encode(batch: Batch, from = 0, to = batch.count): Buffer {
    const needed = header.length + rowBytes * (to - from) + 2
    if (this.#buffer.length < needed) this.#buffer = Buffer.allocUnsafe(needed)
    const out = this.#buffer
    header.copy(out)
    let at = header.length
    for (let row = from; row < to; row++) {
      at = out.writeInt16BE(fields, at)
      at = out.writeInt32BE(4, at)
      at = out.writeInt32BE(batch.lines[row]?.id ?? 0, at)
      at = writeTime(out, at, batch.at[row] ?? 0)
      at = writeTime(out, at, batch.receivedAt[row] ?? 0)
      at = out.writeInt32BE(2, at)
      at = out.writeInt16BE(batch.quality[row] ?? 0, at)
      const first = row * SLOTS
      for (let slot = 0; slot < SLOTS - 1; slot++) {
        const value = batch.values[first + slot] ?? Number.NaN
        if (Number.isNaN(value)) at = out.writeInt32BE(-1, at)
        else {
          at = out.writeInt32BE(4, at)
          at = out.writeFloatBE(value, at)
        }
      }
      const counter = batch.values[first + SLOTS - 1] ?? Number.NaN
      if (Number.isNaN(counter)) at = out.writeInt32BE(-1, at)
      else {
        at = out.writeInt32BE(8, at)
        at = out.writeDoubleBE(counter, at)
      }
    }
    at = out.writeInt16BE(-1, at)
    return out.subarray(0, at)
  }
}

function writeTime(out: Buffer, at: number, ms: number): number {
  const micros = Math.round((ms - epochMs) * 1000)
  const high = Math.floor(micros / 0x1_0000_0000)
  at = out.writeInt32BE(8, at)
  at = out.writeInt32BE(high, at)
  return out.writeUInt32BE(micros - high * 0x1_0000_0000, at)
}
