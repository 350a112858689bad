import { links } from '@linewarden/rules/alarm'
import type { UpgradeState } from '@linewarden/rules/firmware'
import { campaignStates, delays, imageStates, upgradeStates } from '@linewarden/rules/firmware'
import * as Type from 'typebox'
import { call, largeBodyBytes } from '../../core/call.ts'
import { exact, id, maybe, orNull, paging, requiredText, time } from '../../core/schemas.ts'

const firmware = { area: 'firmware', permission: 'platform', scope: { kind: 'own' } } as const
const changing = { ...firmware, audited: true } as const

/** One piece of an upload; the last may be shorter. */
export const firmwarePieceBytes = 512 * 1024
const base64 = (most: number) => Type.String({ secret: true, maxLength: most, pattern: '^[A-Za-z0-9+/]*={0,2}$' })

export const FirmwareImage = Type.Object(
  {
    ImageID: Type.Integer(),
    Model: Type.String(),
    Version: Type.String(),
    Size: Type.Integer({ description: 'Bytes' }),
    Received: Type.Integer({ description: 'Bytes that are here: an upload goes on from here' }),
    Sha256: Type.String(),
    Notes: Type.String(),
    KeyName: Type.String({ description: 'Which of the configured keys it was signed with' }),
    State: Type.Enum(imageStates),
    UploadedBy: Type.String(),
    UploadedAt: time('when its upload began'),
    Gateways: Type.Integer({ description: 'Gateways of its model' }),
    Installed: Type.Integer({ description: 'Gateways that report this version' }),
  },
  exact,
)
export type FirmwareImage = Type.Static<typeof FirmwareImage>
const ImageTarget = Type.Object({ ImageID: id }, exact)

export const startFirmware = call({
  ...changing,
  name: 'startFirmware',
  method: 'POST',
  path: '/firmware/images',
  touches: ['firmware'],
  summary: 'Begin the upload of a signed image, or go on with one that broke off; signature, model and version are checked first',
  body: Type.Object({ Manifest: base64(8_192), Signature: base64(128) }, exact),
  data: FirmwareImage,
})

export const sendFirmwarePiece = call({
  ...changing,
  name: 'sendFirmwarePiece',
  subject: [{ kind: 'image', id: 'ImageID' }],
  maxBodyBytes: largeBodyBytes,
  method: 'PUT',
  path: '/firmware/images/:ImageID/pieces',
  touches: [],
  summary: 'The next piece of an upload, at most 512 KiB',
  params: ImageTarget,
  body: Type.Object({ Offset: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), Bytes: base64(699_052) }, exact),
  data: Type.Object({ Received: Type.Integer() }, exact),
})

export const finishFirmware = call({
  ...changing,
  name: 'finishFirmware',
  subject: [{ kind: 'image', id: 'ImageID' }],
  method: 'POST',
  path: '/firmware/images/:ImageID/finish',
  touches: ['firmware'],
  summary: 'End an upload: only an image of the signed size and checksum is kept',
  params: ImageTarget,
  data: FirmwareImage,
})

export const withdrawFirmware = call({
  ...changing,
  name: 'withdrawFirmware',
  subject: [{ kind: 'image', id: 'ImageID' }],
  method: 'PUT',
  path: '/firmware/images/:ImageID/withdrawn',
  touches: ['firmware'],
  summary: 'Take an image out of use; its version is not taken again',
  params: ImageTarget,
})

export const listFirmware = call({
  ...firmware,
  name: 'listFirmware',
  method: 'GET',
  path: '/firmware/images',
  shows: ['firmware'],
  summary: 'Images, newest first',
  datas: FirmwareImage,
})

const gatewayFacts = {
  DeviceID: Type.Integer(),
  Number: Type.String(),
  GatewayName: Type.String(),
  HouseID: Type.Integer(),
  HouseName: Type.String(),
  Link: Type.Enum(links),
  Firmware: orNull(Type.String({ description: 'As the gateway reported it; null: it never did' })),
} as const

export const upgradeCandidates = call({
  ...firmware,
  name: 'upgradeCandidates',
  method: 'GET',
  path: '/firmware/images/:ImageID/candidates',
  shows: ['firmware'],
  summary: 'Every gateway of the model an image is for',
  params: ImageTarget,
  datas: Type.Object(
    {
      ...gatewayFacts,
      Standing: Type.Enum(['older', 'same', 'newer', 'unknown']),
      Upgrading: Type.Boolean({ description: 'It is in a campaign that has not ended' }),
    },
    exact,
  ),
})

const Stage = Type.Object(
  {
    Kind: Type.Enum(['count', 'percent']),
    Amount: Type.Integer({ minimum: 1, maximum: 100_000, description: 'Counted from the first gateway of the campaign' }),
  },
  exact,
)

export const CampaignRecord = Type.Object(
  {
    CampaignID: Type.Integer(),
    ImageID: Type.Integer(),
    Model: Type.String(),
    Version: Type.String(),
    Reason: Type.String(),
    State: Type.Enum(campaignStates),
    PausedBy: orNull(Type.Enum(['person', 'failures'])),
    Ends: Type.Array(Type.Integer(), { description: 'Where each stage ends, as a count of gateways' }),
    Stage: Type.Integer({ description: 'Index of the stage that is open' }),
    FailureLimit: Type.Integer({ description: 'Per cent of the opened gateways' }),
    StartedBy: Type.String(),
    StartedAt: time('when it began'),
    EndedAt: orNull(time('when it ended')),
    Counts: Type.Object(
      Object.fromEntries(upgradeStates.map((state) => [state, Type.Integer()])) as Record<UpgradeState, Type.TInteger>,
      exact,
    ),
  },
  exact,
)
export type CampaignRecord = Type.Static<typeof CampaignRecord>
const CampaignTarget = Type.Object({ CampaignID: id }, exact)

export const startCampaign = call({
  ...changing,
  name: 'startCampaign',
  subject: [{ kind: 'image', id: 'ImageID' }],
  maxBodyBytes: largeBodyBytes,
  method: 'POST',
  path: '/firmware/campaigns',
  touches: ['firmware'],
  summary: 'Upgrade gateways in stages; it pauses by itself when too many fail',
  body: Type.Object(
    {
      ImageID: id,
      Gateways: Type.Array(id, { maxItems: 20_000, uniqueItems: true, description: 'Each must be of the model' }),
      Projects: Type.Array(id, { maxItems: 1_000, uniqueItems: true, description: 'All gateways of the model in them' }),
      Stages: Type.Array(Stage, { maxItems: 10, description: 'After the last of them come all others' }),
      FailureLimit: Type.Integer({ minimum: 0, maximum: 100 }),
      Reason: requiredText(200),
    },
    exact,
  ),
  data: CampaignRecord,
})

export const steerCampaign = call({
  ...changing,
  name: 'steerCampaign',
  subject: [{ kind: 'campaign', id: 'CampaignID' }],
  method: 'PUT',
  path: '/firmware/campaigns/:CampaignID/state',
  touches: ['firmware'],
  summary: 'Pause a campaign, let it go on, or abort it; what is being installed is not interrupted',
  params: CampaignTarget,
  body: Type.Object({ Act: Type.Enum(['pause', 'goOn', 'abort']) }, exact),
  data: CampaignRecord,
})

export const listCampaigns = call({
  ...firmware,
  name: 'listCampaigns',
  method: 'POST',
  path: '/firmware/campaigns/list',
  reads: true,
  shows: ['firmware'],
  summary: 'Campaigns, newest first',
  body: Type.Object({ ...paging }, exact),
  datas: CampaignRecord,
})

export const campaignDetails = call({
  ...firmware,
  name: 'campaignDetails',
  method: 'GET',
  path: '/firmware/campaigns/:CampaignID',
  keepsAlive: false,
  shows: ['firmware'],
  summary: 'One campaign as it stands',
  params: CampaignTarget,
  data: CampaignRecord,
})

export const UpgradeRecord = Type.Object(
  {
    ...gatewayFacts,
    CampaignID: Type.Integer(),
    Version: Type.String({ description: 'What it is to have' }),
    Former: orNull(Type.String({ description: 'What it reported when the campaign began' })),
    State: Type.Enum(upgradeStates),
    Stage: Type.Integer(),
    Progress: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the image it holds' }),
    Waiting: orNull(
      Type.Enum(delays, {
        description: 'What a waiting one, or one that is ready to install, waits for',
      }),
    ),
    Why: orNull(Type.String({ description: 'Why it failed or is unknown' })),
    Since: time('since when it is in this state'),
  },
  exact,
)
export type UpgradeRecord = Type.Static<typeof UpgradeRecord>

export const campaignUpgrades = call({
  ...firmware,
  name: 'campaignUpgrades',
  method: 'POST',
  path: '/firmware/campaigns/:CampaignID/upgrades',
  reads: true,
  keepsAlive: false,
  shows: ['firmware'],
  summary: 'The gateways of a campaign, in its order',
  params: CampaignTarget,
  body: Type.Object({ State: Type.Optional(Type.Enum(upgradeStates)), ...paging }, exact),
  datas: UpgradeRecord,
})

export const controllerVersion = call({
  area: 'firmware',
  permission: 'system.geteway',
  scope: { kind: 'gateway', id: 'DeviceID' },
  name: 'controllerVersion',
  method: 'POST',
  path: '/controllers/version',
  reads: true,
  shows: ['firmware'],
  summary: 'What a gateway runs, and whether there is something newer for it',
  body: Type.Object({ DeviceID: id }, exact),
  data: Type.Object(
    {
      DeviceID: Type.Integer(),
      Model: orNull(Type.String({ description: 'As the gateway reported it; null: it never did' })),
      Version: orNull(Type.String()),
      ReportedAt: orNull(time('when it reported them')),
      Latest: orNull(Type.Object({ ImageID: Type.Integer(), Version: Type.String(), Notes: Type.String() }, exact)),
      Standing: Type.Enum(['older', 'same', 'newer', 'unknown'], { description: 'To the latest; unknown when there is none' }),
      Upgrade: orNull(UpgradeRecord),
    },
    exact,
  ),
})

export const upgradeController = call({
  ...changing,
  scope: { kind: 'gateway', id: 'DeviceID' },
  name: 'upgradeController',
  method: 'POST',
  path: '/controllers/upgrade',
  touches: ['firmware'],
  summary: 'Upgrade one gateway, to the latest image for its model or to the one that is named',
  body: Type.Object({ DeviceID: id, ImageID: Type.Optional(id), Reason: Type.Optional(maybe(200)) }, exact),
  data: UpgradeRecord,
})

const ofProject = {
  area: 'firmware',
  permission: 'session',
  method: 'GET',
  scope: { kind: 'project', id: 'HouseID', part: true },
  query: Type.Object({ HouseID: id }, exact),
} as const

export const projectUpgradeStatus = call({
  ...ofProject,
  name: 'projectUpgradeStatus',
  path: '/houses/upstatus',
  summary: 'Upgrades of a project that have not ended, with their progress',
  datas: UpgradeRecord,
})

/** Outcomes in the specification's own words, and what it has no word for. */
export const upgradeOutcomes = ['success', 'failed', 'already latest', 'current newer', 'unknown', 'cancelled'] as const

export const projectUpgradeOutcomes = call({
  ...ofProject,
  name: 'projectUpgradeOutcomes',
  path: '/houses/upgrade',
  summary: 'How the last upgrade of each gateway of a project ended',
  datas: Type.Object(
    {
      DeviceID: Type.Integer(),
      Number: Type.String(),
      GatewayName: Type.String(),
      Outcome: Type.Enum(upgradeOutcomes),
      Why: orNull(Type.String()),
      Former: orNull(Type.String()),
      Target: Type.String(),
      Version: orNull(Type.String({ description: 'What the gateway reports now' })),
      At: time('when it ended'),
    },
    exact,
  ),
})
