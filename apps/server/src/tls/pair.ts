import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Exposure } from '@linewarden/contract'
import type { TlsFiles } from '../config.ts'
import { StartRefusal } from '../lib/start-refusal.ts'

/** A certificate with its chain, and its key, as PEM. */
export interface Pair {
  readonly cert: string
  readonly key: string
}

/** Reads both files. Throws StartRefusal when one cannot be read. */
export async function readPair(files: TlsFiles): Promise<Pair> {
  const [cert, key] = await Promise.all([files.cert, files.key].map(read))
  return { cert: cert ?? '', key: key ?? '' }
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw refusal(
      `The file ${path} cannot be read (${code}). Name a PEM file that is there and that the server's user may read.`,
      `无法读取文件 ${path}（${code}）。请指定存在且服务器用户有权读取的 PEM 文件。`,
    )
  }
}

/** The server's own certificate of a pair that TLS can be spoken with, whenever it is valid. Throws StartRefusal with what is wrong and what to do otherwise. */
export function fitting({ cert, key }: Pair, files: TlsFiles): X509Certificate {
  const leaf = certificateIn(cert, files.cert)
  if (!leaf.checkPrivateKey(keyIn(key, files.key)))
    throw refusal(
      `The key ${files.key} does not belong to the certificate ${files.cert}. Name the key the certificate was issued for; in the certificate's file the server's own comes first, then its chain.`,
      `私钥 ${files.key} 与证书 ${files.cert} 不匹配。请指定签发该证书所用的私钥；证书文件中须先放服务器证书，再放证书链。`,
    )
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw refusal(
      `TLS cannot use the certificate ${files.cert} with its key (${why}). Have it issued anew, with a key of EC P-256 or RSA 2048 or more.`,
      `TLS 无法使用证书 ${files.cert} 及其私钥（${why}）。请用 EC P-256 或 2048 位以上的 RSA 密钥重新申请证书。`,
    )
  }
  return leaf
}

/** Why a certificate is not valid now, with what to do; null: it is. */
export function notValid(leaf: X509Certificate, path: string, now: number): Exposure['Said'] | null {
  const [from, to] = [leaf.validFromDate, leaf.validToDate]
  if (now >= to.getTime())
    return {
      en: `The certificate ${path} expired on ${dayOf(to)}. Renew it, and set this machine's clock right if it is wrong.`,
      zh: `证书 ${path} 已于 ${dayOf(to)} 过期。请更新证书；若本机时钟不准，请先校准。`,
    }
  if (now < from.getTime())
    return {
      en: `The certificate ${path} is not valid before ${dayOf(from)}. Set this machine's clock right, or name another certificate.`,
      zh: `证书 ${path} 自 ${dayOf(from)} 起才生效。请校准本机时钟，或改用其他证书。`,
    }
  return null
}

function certificateIn(pem: string, path: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw refusal(
      `The file ${path} holds no certificate in PEM (-----BEGIN CERTIFICATE-----). Name the file with the certificate and its chain.`,
      `文件 ${path} 中没有 PEM 格式的证书（-----BEGIN CERTIFICATE-----）。请指定包含证书及证书链的文件。`,
    )
  }
}

function keyIn(pem: string, path: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw refusal(
      `The file ${path} holds no private key in PEM, or one with a passphrase. Name the file with the certificate's key, without a passphrase.`,
      `文件 ${path} 中没有 PEM 格式的私钥，或私钥设有口令。请指定证书对应且未设口令的私钥文件。`,
    )
  }
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

const refusal = (en: string, zh: string) => new StartRefusal('certificate', { en, zh })
