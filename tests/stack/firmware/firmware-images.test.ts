import { randomBytes } from 'node:crypto'
import {
  firmwarePieceBytes,
  listFirmware,
  listJournal,
  sendFirmwarePiece,
  startFirmware,
  withdrawFirmware,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FirmwareStack } from '../../kit/firmware-stack.ts'
import { firmwareStack } from '../../kit/firmware-stack.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { firmwareSigner, signFirmware } from '../../kit/sign-firmware.ts'
import type { Stack } from '../../kit/stack.ts'
import { uploadFirmware } from '../../kit/upload-firmware.ts'

let house: FirmwareStack
let stack: Stack
const stranger = firmwareSigner('stranger')
const model = 'LW-G1'

beforeAll(async () => {
  house = await firmwareStack()
  stack = house.stack
})
afterAll(() => stack?.close())

describe('an image is not taken', () => {
  const start = ({ manifest, signature }: { manifest: Buffer; signature: Buffer }) =>
    outcomeOf(
      stack.client.call(startFirmware, {
        body: { Manifest: manifest.toString('base64'), Signature: signature.toString('base64') },
      }),
    )

  test('when a stranger signed it, or nobody', async () => {
    const bytes = randomBytes(100)
    expect(await start(signFirmware(stranger, { model, version: '1.1.0', bytes }))).toBe('firmware signature wrong')
    expect(await start({ ...house.image('1.1.0'), signature: Buffer.alloc(0) })).toBe('firmware signature wrong')
    expect(await start({ ...house.image('1.1.0'), signature: Buffer.alloc(64) })).toBe('firmware signature wrong')
  })

  test('when its manifest was changed after it was signed', async () => {
    const { manifest, signature } = house.image('1.1.0')
    const changed = Buffer.from(manifest.toString().replace('1.1.0', '1.2.0'))
    expect(await start({ manifest: changed, signature })).toBe('firmware signature wrong')
  })

  test.each([
    ['format', { format: 'something-else' }],
    ['version', { version: '1.1' }],
    ['size', { size: 33_554_433 }],
    ['sha256', { sha256: 'no' }],
    ['note', { note: 'unknown field' }],
  ])('when its manifest has a wrong %s', async (_, change) => {
    const signed = signFirmware(house.signer, { model, version: '1.1.0', bytes: randomBytes(10) }, change)
    expect(await start(signed)).toBe('firmware manifest wrong')
  })

  test('when no gateway is of its model', async () => {
    const signed = signFirmware(house.signer, { model: 'NOBODY', version: '1.1.0', bytes: randomBytes(10) })
    expect(await start(signed)).toBe('firmware model unknown')
  })

  test('when it is cut short, too long or not what was signed; and nothing of it stays', async () => {
    const signed = house.image('1.1.0', 2 * firmwarePieceBytes)
    const short = { ...signed, bytes: signed.bytes.subarray(0, firmwarePieceBytes + 10) }
    expect(await outcomeOf(uploadFirmware(stack.client, short))).toBe('firmware cut short')
    const long = { ...signed, bytes: Buffer.concat([signed.bytes, Buffer.alloc(1)]) }
    expect(await outcomeOf(uploadFirmware(stack.client, long))).toBe('firmware too long')
    const { items } = await stack.client.call(listFirmware)
    for (const { ImageID } of items) await stack.client.call(withdrawFirmware, { params: { ImageID } })
    const other = Buffer.from(signed.bytes)
    other[firmwarePieceBytes] = (other[firmwarePieceBytes] ?? 0) ^ 1
    expect(await outcomeOf(uploadFirmware(stack.client, { ...signed, bytes: other }))).toBe('firmware damaged')
    expect((await stack.client.call(listFirmware)).items).toEqual([])
  })

  test('a refused signature is in the log, with who tried', async () => {
    const { items } = await stack.client.call(listJournal, { body: { Action: 'startFirmware', Size: 5 } })
    expect(items[0]).toMatchObject({ Actor: 'admin', Outcome: 'refused' })
  })
})

test('an upload that broke off goes on where it was, whatever else is under way, and an image is here once', async () => {
  const bodyOf = ({ manifest, signature }: ReturnType<typeof house.image>) => ({
    Manifest: manifest.toString('base64'),
    Signature: signature.toString('base64'),
  })
  await stack.client.call(startFirmware, { body: bodyOf(house.image('1.1.1', firmwarePieceBytes)) })
  const signed = house.image('1.1.0', 2 * firmwarePieceBytes + 5)
  const body = bodyOf(signed)
  const { ImageID } = await stack.client.call(startFirmware, { body })
  const first = signed.bytes.subarray(0, firmwarePieceBytes).toString('base64')
  await stack.client.call(sendFirmwarePiece, { params: { ImageID }, body: { Offset: 0, Bytes: first } })
  expect(await outcomeOf(stack.client.call(sendFirmwarePiece, { params: { ImageID }, body: { Offset: 0, Bytes: first } }))).toBe(
    'firmware piece elsewhere',
  )
  expect(await stack.client.call(startFirmware, { body })).toMatchObject({ ImageID, Received: firmwarePieceBytes })
  expect(await uploadFirmware(stack.client, signed)).toMatchObject({ State: 'ready', Version: '1.1.0', KeyName: 'works' })
  expect(await outcomeOf(house.upload('1.1.0'))).toBe('firmware same version')
  expect(await outcomeOf(house.upload('1.0.9'))).toBe('firmware lower version')
  expect(await outcomeOf(house.begin(ImageID, ['F-X'], []))).toBe('firmware wrong model')
})
