import { createCipheriv, createHash, randomBytes } from 'node:crypto'

/** What operators' platforms send, and how they sign it: our own account of the two forms, which shares nothing with the server's. */

export const oneNetSignature = (token: string, nonce: string, msg: string): string =>
  createHash('md5').update(`${token}${nonce}${msg}`).digest('base64')

export function oneNetBody(token: string, message: unknown, { time = Date.now(), aesKey = '' } = {}): string {
  const plain = JSON.stringify(message)
  const msg = aesKey === '' ? plain : encrypted(plain, aesKey)
  const nonce = randomBytes(4).toString('hex')
  return JSON.stringify({ msg, nonce, signature: oneNetSignature(token, nonce, msg), time, id: randomBytes(8).toString('hex') })
}

function encrypted(text: string, aesKey: string): string {
  const cipher = createCipheriv('aes-128-cbc', aesKey, aesKey)
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64')
}

type Values = Readonly<Record<string, number | string>>

/** A report of a thing model, each value with its own time. */
export const oneNetReport = (device: string, productId: string, values: Values, at: number) => ({
  notifyType: 'property',
  productId,
  deviceName: device,
  messageType: 'notify',
  data: {
    id: '1',
    version: '1.0',
    params: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, time: at }])),
  },
})

export const ctwingReport = (imei: string, productId: string, values: Values, timestamp: number) => ({
  messageType: 'dataReport',
  protocol: 'lwm2m',
  tenantId: '10000001',
  productId,
  deviceId: `${productId}${imei}`,
  IMEI: imei,
  IMSI: 'undefined',
  serviceId: 1,
  topic: 'v1/up/ad19',
  upPacketSN: -1,
  upDataSN: -1,
  timestamp,
  payload: values,
})

/** Pushes a body and answers with status and envelope. */
export async function pushTo(url: string, body: string): Promise<{ status: number; Code: number; Message: string }> {
  const reply = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  return { status: reply.status, ...((await reply.json()) as { Code: number; Message: string }) }
}
