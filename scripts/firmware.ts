import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { firmwareFormat, readManifest } from '@linewarden/rules/firmware'

const help = `Signs firmware for gateways:

  npm run firmware:sign -- key <key.pem>
      makes a private key there if none is, and prints what LINEWARDEN_FIRMWARE_KEYS wants of it
  npm run firmware:sign -- sign <key.pem> <image> <out.lwfw> --model LW-G1 --version 1.4.0 [--notes "what is new"]
      puts manifest, signature and image into one file, to be uploaded in the console
`

class Misused extends Error {}

/** The file the console uploads: one line of JSON, then the image. */
function bundleOf(keyFile: string, imageFile: string, facts: { model: string; version: string; notes: string }): Buffer {
  const image = readFileSync(imageFile)
  const sha256 = createHash('sha256').update(image).digest('hex')
  const manifest = Buffer.from(JSON.stringify({ format: firmwareFormat, ...facts, size: image.length, sha256 }))
  const read = readManifest(manifest.toString('utf8'))
  if (typeof read === 'string') throw new Misused(`${read} cannot be used`)
  const signature = sign(null, manifest, createPrivateKey(readFileSync(keyFile)))
  const head = {
    format: 'linewarden-firmware-file-1',
    manifest: manifest.toString('base64'),
    signature: signature.toString('base64'),
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), image])
}

function publicKeyIn(keyFile: string): string {
  if (!existsSync(keyFile)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  }
  const { x, crv } = createPublicKey(readFileSync(keyFile)).export({ format: 'jwk' })
  if (crv !== 'Ed25519' || x === undefined) throw new Misused(`${keyFile} is no Ed25519 key`)
  return Buffer.from(x, 'base64url').toString('base64')
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { model: { type: 'string' }, version: { type: 'string' }, notes: { type: 'string', default: '' } },
  })
  const [command, keyFile, image, out] = positionals
  if (command === 'key' && keyFile !== undefined) {
    const name = basename(keyFile)
      .replace(/\.pem$/, '')
      .replace(/[^A-Za-z0-9_-]/g, '-')
    process.stdout.write(`LINEWARDEN_FIRMWARE_KEYS=${name}:${publicKeyIn(keyFile)}\n`)
  } else if (command === 'sign' && keyFile && image && out) {
    const { model, version, notes } = values
    if (model === undefined || version === undefined) throw new Misused('--model and --version are needed')
    const bundle = bundleOf(keyFile, image, { model, version, notes })
    writeFileSync(out, bundle)
    process.stdout.write(`${out}: ${model} ${version}, ${bundle.length} bytes\n`)
  } else throw new Misused('what should happen?')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  if (error instanceof Misused) process.stderr.write(`\n${help}`)
  process.exitCode = 1
}
