import { createHash, createHmac } from 'node:crypto'
import type { BucketConfig } from '../lib/bucket-setting.ts'

interface Asked {
  readonly method: string
  /** Without a query. Its path holds nothing that would have to be encoded. */
  readonly url: URL
  /** Each of them is signed. */
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of the body, in hex. */
  readonly bodyHash: string
  /** Unix ms. */
  readonly at: number
}

/** SHA-256 of no body at all. */
export const noBodyHash = createHash('sha256').digest('hex')

/** The headers of a request that is signed as S3 asks for it: AWS Signature Version 4, of one request without a query. */
export function signedHeaders(
  { region, keyId, secret }: Omit<BucketConfig, 'url'>,
  { method, url, headers, bodyHash, at }: Asked,
) {
  const time = `${new Date(at).toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z`
  const day = time.slice(0, 8)
  const signed: Record<string, string> = { ...headers, host: url.host, 'x-amz-content-sha256': bodyHash, 'x-amz-date': time }
  const names = Object.keys(signed).sort()
  const canonical = [
    ...[method, url.pathname, ''],
    ...names.map((name) => `${name}:${signed[name]}`),
    ...['', names.join(';'), bodyHash],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secret}`)
  const signature = hmac(key, text).toString('hex')
  const { host, ...sent } = signed
  const authorization = `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...sent, authorization }
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
