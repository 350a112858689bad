import { createHash, generateKeyPairSync, sign } from 'node:crypto'

/** Somebody who signs firmware. */
export interface Signer {
  readonly name: string
  /** 32 bytes in base64, as the server's settings have it. */
  readonly publicKey: string
  sign(manifest: Buffer): Buffer
}

export interface SignedFirmware {
  readonly manifest: Buffer
  readonly signature: Buffer
  readonly bytes: Buffer
}

/** A signer with a fresh key. */
export function firmwareSigner(name: string): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return {
    name,
    publicKey: Buffer.from(x, 'base64url').toString('base64'),
    sign: (manifest) => sign(null, manifest, privateKey),
  }
}

/** An image with its signed manifest; `change` makes it wrong on purpose, before the signature. */
export function signFirmware(
  signer: Signer,
  { model, version, bytes }: { readonly model: string; readonly version: string; readonly bytes: Buffer },
  change: object = {},
): SignedFirmware {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const manifest = Buffer.from(
    JSON.stringify({ format: 'linewarden-firmware-1', model, version, size: bytes.length, sha256, notes: '', ...change }),
  )
  return { manifest, signature: signer.sign(manifest), bytes }
}

/** The file that is uploaded in the console: a line of JSON, then the image. */
export function firmwareFile({ manifest, signature, bytes }: SignedFirmware): Buffer {
  const head = {
    format: 'linewarden-firmware-file-1',
    manifest: manifest.toString('base64'),
    signature: signature.toString('base64'),
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes])
}
