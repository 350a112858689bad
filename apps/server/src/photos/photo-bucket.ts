import { setTimeout } from 'node:timers/promises'
import type { BucketConfig } from '../lib/bucket-setting.ts'
import type { ContentStore } from './content-store.ts'
import { noBodyHash, signedHeaders } from './signed-request.ts'

const timeoutMs = 20_000
/** A bucket that is busy is asked so often, each time after a longer wait. */
const tries = 3
const waitMs = 200

interface Asked {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  readonly body?: { readonly bytes: Buffer; readonly type: string }
}

/** Contents as objects of a bucket, `ab/cdef…` below its address. */
export function photoBucket({ url, ...key }: BucketConfig): ContentStore {
  return {
    async put(hash, body) {
      await over(await asked(hash, { method: 'PUT', body }))
    },
    async get(hash) {
      const response = await asked(hash, { method: 'GET' })
      if (response.ok) return Buffer.from(await response.arrayBuffer())
      await over(response)
      return null
    },
    async remove(hash) {
      await over(await asked(hash, { method: 'DELETE' }))
    },
    // Each has a row before it lies there, and whose bucket it is besides is not known.
    async *hashes() {},
  }

  async function asked(hash: string, ask: Asked): Promise<Response> {
    for (let tried = 1; ; tried++) {
      const response = await askOnce(hash, ask)
      if (response.ok || (response.status === 404 && ask.method !== 'PUT')) return response
      const why = (await response.text()).replaceAll(/\s+/g, ' ').slice(0, 300)
      const isBusy = response.status >= 500 || response.status === 429
      if (!isBusy || tried === tries) throw new Error(`the bucket answers ${response.status} to ${ask.method}: ${why}`)
      await setTimeout(waitMs * 2 ** tried)
    }
  }

  function askOnce(hash: string, { method, body }: Asked): Promise<Response> {
    const address = new URL(`${url}/${hash.slice(0, 2)}/${hash.slice(2)}`)
    // The bucket checks the signed checksum: what arrives otherwise is not stored.
    const bodyHash = body ? hash : noBodyHash
    const headers = { ...(body && { 'content-type': body.type }) }
    return fetch(address, {
      method,
      headers: signedHeaders(key, { method, url: address, headers, bodyHash, at: Date.now() }),
      ...(body && { body: new Uint8Array(body.bytes) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
  }
}

/** Its connection is free for the next. */
const over = ({ body }: Response): Promise<void> | undefined => body?.cancel()
