import { randomBytes } from 'node:crypto'
import type { CampaignRecord, UpgradeRecord } from '@linewarden/contract'
import { campaignDetails, campaignUpgrades, listFirmware, startCampaign } from '@linewarden/contract'
import { expect, vi } from 'vitest'
import { firmwarePlan } from './firmware-plan.ts'
import { firmwareSigner, signFirmware } from './sign-firmware.ts'
import type { StackOptions } from './stack.ts'
import { startStack } from './stack.ts'
import { uploadFirmware } from './upload-firmware.ts'

export type FirmwareStack = Awaited<ReturnType<typeof firmwareStack>>

/** The house with the gateways of the firmware plan, and somebody who signs firmware for them. */
export async function firmwareStack(options: Pick<StackOptions, 'expects'> = {}) {
  const signer = firmwareSigner('works')
  const model = 'LW-G1'
  const env = { LINEWARDEN_FIRMWARE_KEYS: `${signer.name}:${signer.publicKey}` }
  const stack = await startStack({ plan: firmwarePlan, env, ...options })
  const { client, server, fleet } = stack

  const gatewayOf = (number: string) => server.plant.gatewayByNumber.get(number)
  const idOf = (number: string) => gatewayOf(number)?.id ?? 0
  const image = (version: string, size = 200_000) => signFirmware(signer, { model, version, bytes: randomBytes(size) })
  const campaign = ({ CampaignID }: CampaignRecord) => client.call(campaignDetails, { params: { CampaignID } })
  const upgrades = async ({ CampaignID }: CampaignRecord): Promise<readonly UpgradeRecord[]> =>
    (await client.call(campaignUpgrades, { params: { CampaignID }, body: { Size: 200 } })).items
  const until = (fact: () => Promise<void>) => vi.waitFor(fact, { interval: 50 })

  return {
    stack,
    signer,
    idOf,
    houseOf: (number: string) => gatewayOf(number)?.project.id ?? 0,
    simulated: (number: string) => fleet.gateways.get(number) ?? expect.fail(`no gateway ${number}`),
    image,
    upload: (version: string, size?: number) => uploadFirmware(client, image(version, size)),
    /** The image that was uploaded last, or that of a version. */
    async uploaded(version?: string): Promise<number> {
      const { items } = await client.call(listFirmware)
      const found = items.find(({ Version }) => version === undefined || Version === version)
      return found?.ImageID ?? expect.fail('there is no such image')
    },
    begin: (
      ImageID: number,
      numbers: readonly string[],
      Stages: { Kind: 'count' | 'percent'; Amount: number }[],
      FailureLimit = 0,
    ) =>
      client.call(startCampaign, {
        body: { ImageID, Gateways: numbers.map(idOf), Projects: [], Stages, FailureLimit, Reason: 'test' },
      }),
    campaign,
    upgrades,
    upgradeOf: async (of: CampaignRecord, number: string) => (await upgrades(of)).find((each) => each.Number === number),
    until,
    ended: (of: CampaignRecord, state: CampaignRecord['State'] = 'done') =>
      until(async () => expect(await campaign(of)).toMatchObject({ State: state })),
  }
}
