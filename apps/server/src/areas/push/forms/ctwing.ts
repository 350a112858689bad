import type { ReadPush } from './report.ts'
import { idIn, idsIn, isObject, timeIn, valuesIn } from './report.ts'

/** When the platform got the report; null: the body is not of CTWing's form. */
export const ctwingTime = (body: unknown): number | null =>
  isObject(body) && typeof body.messageType === 'string' ? timeIn(body.timestamp) : null

const withValues: ReadonlySet<unknown> = new Set(['dataReport', 'dataReportTX', 'eventReport'])

/** Reads a message of a subscription: what a detector reported, or an event of it. Any other kind says nothing of values. */
export function readCtwing(body: unknown): ReadPush {
  if (!isObject(body)) return 'the message is no object'
  if (!withValues.has(body.messageType)) return []
  const names = idsIn(body.IMEI, body.imei, body.deviceId)
  if (names.length === 0) return 'the message names no device'
  const content = body.messageType === 'eventReport' ? body.eventContent : contentOf(body.payload)
  if (typeof content === 'string') return content
  if (!isObject(content)) return 'the message holds no payload'
  const values = valuesIn(content, timeIn(body.timestamp))
  return typeof values === 'string' ? values : [{ names, productId: idIn(body.productId), values }]
}

/** The fields of a product with a thing model, bare or under `serviceData`; of a transparent one, the JSON it carries in `APPdata`. */
function contentOf(payload: unknown): unknown {
  if (!isObject(payload)) return null
  if (isObject(payload.serviceData)) return payload.serviceData
  if (typeof payload.APPdata !== 'string') return payload
  try {
    const carried: unknown = JSON.parse(Buffer.from(payload.APPdata, 'base64').toString('utf8'))
    if (isObject(carried)) return carried
  } catch {}
  return 'a transparent product carries bytes that only its maker can read: use a product with a thing model, or JSON'
}
