import { itemKinds, photoDemands, signatureDemands } from '@linewarden/rules/inspection'
import * as Type from 'typebox'
import { called, exact, maybe, orNull, Text } from '../../core/schemas.ts'

/** A list is of a family, of gateways, or of places. */
export const ListKey = Type.String({ pattern: '^[A-Za-z0-9]{1,32}$', description: 'Key of a family, `gateway` or `place`' })

export const ItemID = Type.String({ pattern: '^[A-Za-z0-9.-]{1,64}$' })
/** As an item stands in a round, frozen when the round begins. */
export const ChecklistItem = Type.Object(
  {
    ItemID: Type.String(),
    Text,
    Kind: Type.Enum([...itemKinds]),
    Min: orNull(Type.Number({ description: 'Of a number: what is in order' })),
    Max: orNull(Type.Number()),
    Unit: Type.String(),
    Choices: Type.Array(Type.Object({ Choice: Type.String(), Text, Ok: Type.Boolean() }, exact)),
    Source: Text,
    EveryDays: orNull(Type.Integer({ description: 'So often, where the standard says it' })),
    Own: Type.Boolean({ description: 'Of the plan, not of the template' }),
  },
  exact,
)
export type InspectionItem = Type.Static<typeof ChecklistItem>

export const Checklist = Type.Object({ List: Type.String(), Name: Text, Items: Type.Array(ChecklistItem) }, exact)
export type InspectionChecklist = Type.Static<typeof Checklist>

const bound = Type.Number({ minimum: -1_000_000, maximum: 1_000_000 })

/** An item that a plan adds: in the language of whoever wrote it. */
export const OwnItem = Type.Object(
  {
    ItemID: Type.String({ pattern: '^own\\.[a-z0-9-]{1,40}$', description: '`own.` and anything; unique in the plan, and kept' }),
    List: ListKey,
    Text: called(200),
    Kind: Type.Enum([...itemKinds]),
    Min: orNull(bound),
    Max: orNull(bound),
    Unit: maybe(16),
    Choices: Type.Array(Type.Object({ Text: called(40), Ok: Type.Boolean() }, exact), { maxItems: 8 }),
  },
  exact,
)
export type OwnItem = Type.Static<typeof OwnItem>

export const PhotoOn = Type.Enum([...photoDemands], { description: 'When an answer needs a photo' })
export const SignatureBy = Type.Enum([...signatureDemands], {
  description: 'Who signs on the phone',
  // By its name: signatures themselves are kept back.
  secret: true,
})
