import type { KeyObject } from 'node:crypto'
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { dayMs } from '@linewarden/equipment'

interface CertificateFacts {
  /** Unix ms. */
  readonly from?: number
  readonly to?: number
  /** Whose key it is written to be for; default: the one that is made with it. */
  readonly publicKey?: KeyObject
}

/** A self-signed certificate of localhost and 127.0.0.1 with its key, both PEM: what the tests of TLS need of X.509, and no more. */
export function testCertificate({ from = Date.now() - dayMs, to = Date.now() + 90 * dayMs, publicKey }: CertificateFacts = {}) {
  const made = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const serial = randomBytes(8)
  // A name of its own: of two that are believed under one name only the first is looked at.
  const called = der(0x0c, Buffer.from(`test ${serial.toString('hex')}`))
  const name = sequence(set(sequence(oid(0x55, 4, 3), called)))
  const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2))
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...serial])),
    ecdsaWithSha256,
    name,
    sequence(time(from), time(to)),
    name,
    (publicKey ?? made.publicKey).export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid(0x55, 0x1d, 0x11), der(0x04, names)))),
  )
  const signature = sign('sha256', body, made.privateKey)
  const cert = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${cert.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: made.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: made.publicKey,
  }
}

/** Tag, length, value. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const long = value.length < 0x80 ? [] : value.length < 0x100 ? [0x81] : [0x82, value.length >> 8]
  return Buffer.concat([Buffer.from([tag, ...long, value.length & 0xff]), value])
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, ...parts)
const oid = (...bytes: readonly number[]): Buffer => der(0x06, Buffer.from(bytes))
const time = (at: number): Buffer => der(0x18, Buffer.from(`${new Date(at).toISOString().replace(/\D/g, '').slice(0, 14)}Z`))
