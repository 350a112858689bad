import type { Client } from '@linewarden/client'
import type { FirmwareImage } from '@linewarden/contract'
import { finishFirmware, firmwarePieceBytes, sendFirmwarePiece, startFirmware } from '@linewarden/contract'
import type { SignedFirmware } from './sign-firmware.ts'

/** Uploads an image as the console does. `bytes` stands for what really comes, when that is not what was signed. */
export async function uploadFirmware(client: Client, { manifest, signature, bytes }: SignedFirmware): Promise<FirmwareImage> {
  const body = { Manifest: manifest.toString('base64'), Signature: signature.toString('base64') }
  const { ImageID, Received } = await client.call(startFirmware, { body })
  const params = { ImageID }
  for (let at = Received; at < bytes.length; at += firmwarePieceBytes) {
    const Bytes = bytes.subarray(at, at + firmwarePieceBytes).toString('base64')
    await client.call(sendFirmwarePiece, { params, body: { Offset: at, Bytes } })
  }
  return client.call(finishFirmware, { params })
}
