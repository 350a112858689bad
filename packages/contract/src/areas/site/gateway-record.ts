import { links } from '@linewarden/rules/alarm'
import { addMethods, deviceTypes, dockingPlatforms } from '@linewarden/rules/site'
import * as Type from 'typebox'
import { exact, id, orNull, time } from '../../core/schemas.ts'

export const toManageGateways = { area: 'site', permission: 'system.geteway' } as const
export const oneGateway = { kind: 'gateway', id: 'DeviceID' } as const
export const GatewayTarget = Type.Object({ DeviceID: id }, exact)

/** A project holds at most this many. */
export const maxGateways = 200

export const GatewayRecord = Type.Object(
  {
    DeviceID: Type.Integer(),
    Number: Type.String(),
    Name: Type.String({ description: 'The same as `GatewayName`: the specification has both' }),
    GatewayName: Type.String(),
    IMEI: orNull(Type.String()),
    AddMethod: Type.Enum(addMethods),
    Platform: Type.Enum(dockingPlatforms),
    DeviceType: Type.Enum(deviceTypes),
    Remark: Type.String(),
    HouseID: Type.Integer(),
    HouseName: Type.String(),
    Enabled: Type.Boolean({ description: 'A disabled gateway cannot connect' }),
    Link: Type.Enum(links),
    Since: orNull(time('since when')),
    Signal: orNull(
      Type.Object(
        { Dbm: Type.Integer({ description: 'Received power, dBm' }), At: time('when it came') },
        { ...exact, description: 'As the gateway last said; null: it said none' },
      ),
    ),
    DeviceCount: Type.Integer(),
    LineCount: Type.Integer(),
    Tags: Type.Integer({
      description: 'Tags that hang on it or on anything behind it: while there are any it cannot be removed',
    }),
    Shared: Type.Boolean({ description: 'A shared account sees it: it cannot be migrated' }),
    AddedAt: time('when it was added'),
    Version: Type.Integer(),
  },
  exact,
)
export type GatewayRecord = Type.Static<typeof GatewayRecord>

/** What a gateway may be numbered: it is its user name too, and one level of its topics, as Sparkplug has it for an edge node id. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what a number must not hold.
export const gatewayNumber = /^(?!\s)[^+#/\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,64}(?<!\s)$/
export const GatewayNumber = Type.String({ pattern: gatewayNumber.source })
export const GatewaySecret = Type.String({
  description: 'For the gateway to connect with, user name = number. Shown this once and kept only as a hash',
})
