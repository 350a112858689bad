import { createHmac } from 'node:crypto'
import { CallError } from '@linewarden/client'
import { expect } from 'vitest'

/** What an authenticator app shows at a moment, made here a second time from the RFC. */
export function codeAt(key: string, at: number): string {
  const bits = [...key].map((char) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0')).join('')
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(Math.floor(at / 30_000), 4)
  const hash = createHmac('sha1', secret).update(counter).digest()
  return String((hash.readUInt32BE((hash[19] ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The step at which a sign-in asks for the second factor. */
export async function stepOf(signIn: Promise<unknown>): Promise<string> {
  const error = await signIn.catch((reason: unknown) => reason)
  if (!(error instanceof CallError) || error.problem.kind !== 'refusal') throw new Error('this sign-in took no second factor')
  expect(error.message).toBe('second factor needed')
  return String(error.problem.failure.Detail?.step)
}
