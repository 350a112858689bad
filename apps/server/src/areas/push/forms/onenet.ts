import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'
import type { PushedReport, ReadPush } from './report.ts'
import { idIn, idsIn, isObject, maxReports, timeIn, valuesIn } from './report.ts'

/** A push of OneNET: `{ msg, nonce, signature, time?, id? }`. Older instances call the signature `msg_signature` and an encrypted message `enc_msg`. */
export interface OneNetPush {
  readonly msg: string
  readonly nonce: string
  readonly signature: string
  readonly encrypted: boolean
  /** When the platform sent it; not covered by its signature. */
  readonly time: number | null
}

/** Null when it is not of this form. */
export function readOneNetPush(body: unknown): OneNetPush | null {
  if (!isObject(body)) return null
  const given = body.enc_msg ?? body.msg
  // The older form holds the message itself; its signature covers it as compact JSON.
  const msg = isObject(given) || Array.isArray(given) ? JSON.stringify(given) : given
  const signature = body.signature ?? body.msg_signature
  const nonce = body.nonce
  if (typeof msg !== 'string' || typeof signature !== 'string' || typeof nonce !== 'string') return null
  return { msg, nonce, signature, encrypted: body.enc_msg !== undefined || !/^\s*[[{]/.test(msg), time: timeIn(body.time) }
}

/** base64(md5(token + nonce + msg)), compared in constant time. */
export function oneNetSigned(token: string, { nonce, msg, signature }: Pick<OneNetPush, 'nonce' | 'msg' | 'signature'>): boolean {
  const right = createHash('md5').update(token).update(nonce).update(msg).digest()
  // In a query string a plus sign is often read as a space.
  const given = Buffer.from(signature.replaceAll(' ', '+'), 'base64')
  return given.length === right.length && timingSafeEqual(given, right)
}

/** Opens a message of the secure mode: AES-128-CBC with PKCS#7 padding, the key being its own first block too. Null when it does not open. */
export function openOneNet(msg: string, aesKey: string): string | null {
  try {
    const key = Buffer.from(aesKey, 'latin1')
    const decipher = createDecipheriv('aes-128-cbc', key, key)
    const bytes = Buffer.concat([decipher.update(Buffer.from(msg, 'base64')), decipher.final()])
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Reads the message inside: of the thing model (`notifyType`), or data points of the older products, one or many. */
export function readOneNet(text: string): ReadPush {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return 'the message is no JSON'
  }
  const reports: PushedReport[] = []
  const messages = Array.isArray(message) ? message : [message]
  if (messages.length > maxReports) return `more than ${maxReports} reports`
  for (const each of messages) {
    if (!isObject(each)) return 'the message holds no object'
    const report = 'notifyType' in each ? thingModel(each) : dataPoint(each)
    if (typeof report === 'string') return report
    if (report) reports.push(report)
  }
  return reports
}

type Json = Readonly<Record<string, unknown>>

function thingModel(message: Json): PushedReport | string | null {
  // Coming and going: a sleeping detector goes all the time. Its silence is judged by how often it reports.
  if (message.notifyType !== 'property' && message.notifyType !== 'event') return null
  const names = idsIn(message.imei, message.deviceName, message.deviceId)
  if (names.length === 0) return 'the message names no device'
  const params = isObject(message.data) ? message.data.params : undefined
  if (!isObject(params)) return 'data.params is missing'
  const values = valuesIn(params, timeIn(message.time))
  return typeof values === 'string' ? values : { names, productId: idIn(message.productId), values }
}

const dataPointType = 1

function dataPoint(message: Json): PushedReport | string | null {
  if (Number(message.type) !== dataPointType) return null
  const names = idsIn(message.imei, message.dev_name, message.dev_id)
  const stream = idIn(message.ds_id)
  if (names.length === 0 || stream === null) return 'the data point names no device or no stream'
  const values = valuesIn({ [stream]: message.value }, timeIn(message.at))
  return typeof values === 'string' ? values : { names, productId: idIn(message.productId ?? message.pid), values }
}
