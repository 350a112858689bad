import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A bucket that speaks as much of S3 as photos need, and lets nobody in who has not signed. */
export interface TestBucket {
  readonly env: Readonly<Record<string, string>>
  /** Objects by their paths in the bucket. */
  readonly objects: Map<string, { readonly bytes: Buffer; readonly type: string }>
  /** What it answers in place of doing what it is asked, so many times. */
  failNext(status: number, times: number): void
  close(): Promise<void>
}

const [keyId, secret, region] = ['photos-key', 'photos-secret-of-the-test', 'cn-north-1']

export async function startBucket(): Promise<TestBucket> {
  const objects: TestBucket['objects'] = new Map()
  const failing = { status: 0, times: 0 }
  const server = createServer(async (request, reply) => {
    const body = await bodyOf(request)
    const answer = (status: number, text = '') => void reply.writeHead(status).end(text)
    if (failing.times-- > 0) return answer(failing.status, '<Error><Code>SlowDown</Code></Error>')
    if (!isSigned(request, body)) return answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
    const path = request.url ?? ''
    if (request.method === 'PUT') {
      objects.set(path, { bytes: body, type: String(request.headers['content-type']) })
      return answer(200)
    }
    if (request.method === 'DELETE') {
      objects.delete(path)
      return answer(204)
    }
    const found = objects.get(path)
    if (!found) return answer(404, '<Error><Code>NoSuchKey</Code></Error>')
    reply.writeHead(200, { 'Content-Type': found.type }).end(found.bytes)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/photos/site-1`
  return {
    env: {
      LINEWARDEN_PHOTO_BUCKET: url,
      LINEWARDEN_PHOTO_BUCKET_KEY: `${keyId}:${secret}`,
      LINEWARDEN_PHOTO_BUCKET_REGION: region,
    },
    objects,
    failNext: (status, times) => Object.assign(failing, { status, times }),
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Checks the signature (AWS Signature Version 4) and that the body is the one that was signed. */
function isSigned({ method, url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    )
  if (!parts) return false
  const [, who, day = '', where, names = '', signature] = parts
  const time = String(headers['x-amz-date'])
  const signedTime = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'))
  if (who !== keyId || where !== region || !time.startsWith(day) || !(Math.abs(Date.now() - signedTime) < 900_000)) return false
  const required = ['host', 'x-amz-content-sha256', 'x-amz-date']
  if (!required.every((name) => names.split(';').includes(name))) return false
  const sha256 = (text: Buffer | string) => createHash('sha256').update(text).digest('hex')
  if (headers['x-amz-content-sha256'] !== sha256(body)) return false
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = `${method}\n${url}\n\n${signed.join('')}\n${names}\n${sha256(body)}`
  const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), 's3'), 'aws4_request')
  return (
    signature === hmac(key, `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/s3/aws4_request\n${sha256(canonical)}`).toString('hex')
  )
}
