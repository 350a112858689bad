import { createPublicKey, verify } from 'node:crypto'
import type { Config } from '../../config.ts'

/**
 * Whose signature is over exactly these bytes: the name of the key, or null. The keys of the settings are 32 bytes each, so that none is
 * refused for its form here.
 */
export function signedBy(keys: Config['firmwareKeys'], manifest: Buffer, signature: Buffer): string | null {
  const found = keys.find(({ key }) => {
    const x = Buffer.from(key, 'base64').toString('base64url')
    return verify(null, manifest, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), signature)
  })
  return found?.name ?? null
}
