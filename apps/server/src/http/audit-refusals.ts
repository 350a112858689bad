import type { Call, Refusal } from '@linewarden/contract'
import { refusedAction } from '@linewarden/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { by } from '../areas/audited.ts'
import type { Plant } from '../plant/plant.ts'
import { appendRefusal } from '../store/audit.ts'
import type { Database } from '../store/core/database.ts'
import { toldFields } from './told-fields.ts'
import { whoseThings } from './whose.ts'

type Given = Readonly<Record<string, unknown>>

/** Long enough for any one order; of a batch its beginning says enough. */
const mostCharacters = 2_000
const longestTarget = 128

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

/** Writes into the audit log what somebody tried and was refused: what was asked for, and why it was not done. */
export function auditRefusals({ database, plant, clock }: Deps) {
  const whose = whoseThings({ database, plant })
  return async (call: Call, actor: Actor, request: FastifyRequest, refusal: Refusal): Promise<void> => {
    const asked = { ...givenIn(request.body), ...(call.params && givenIn(request.params)) }
    const operates = call.area === 'control' || call.area === 'equipment'
    // Only whoever sees everything can name what is not of their own tree: of anybody else nothing is looked for.
    const owner = actor.platform ? await whose(call, asked) : undefined
    await appendRefusal(operates ? database.control : database.general, {
      ...by(actor, clock(), refusedAction(call), owner === undefined ? actor.tree : owner),
      target: targetIn(asked).slice(0, longestTarget),
      after: {
        asked: textOf(asked).slice(0, mostCharacters),
        why: refusal.key,
        problems: refusal.problems.map(({ Path }) => Path),
      },
      outcome: 'refused',
    })
  }
}

/** Nothing of it was checked: it may be anything that JSON can say. */
const givenIn = (part: unknown): Given =>
  typeof part === 'object' && part !== null && !Array.isArray(part) ? (part as Given) : {}

function textOf(asked: Given): string {
  try {
    return JSON.stringify(asked, [...toldFields])
  } catch {
    // Nested deeper than can be written.
    return ''
  }
}

function targetIn(asked: Given): string {
  const several = asked.Lines ?? asked.Targets
  for (const ids of [asked.DeviceIDs, asked.EventIDs])
    if (Array.isArray(ids)) return ids.slice(0, longestTarget).map(nameOf).join(' ')
  return Array.isArray(several) ? several.slice(0, longestTarget).map(givenIn).map(placeIn).join(' ') : placeIn(asked)
}

function placeIn(given: Given): string {
  const { ControllerID, ID, DeviceID, ChangeID, BatchID, RunID, HouseID, PushID, LineNo } = given
  const line = nameOf(LineNo)
  const place = nameOf(ControllerID ?? ID ?? DeviceID ?? ChangeID ?? BatchID ?? RunID)
  if (place !== '' || line !== '') return `${place}${line === '' ? '' : `/${line}`}`
  if (nameOf(PushID) !== '') return `project ${nameOf(HouseID)} push ${nameOf(PushID)}`
  return nameOf(HouseID) || personOrThingIn(given)
}

/** As those entries name it that tell what was done. What is to be made is named by what it was to be called. */
function personOrThingIn({ AccountID, UserName, RoleID, CityID, TemplateID, EventID, Number: number, Name }: Given): string {
  const numbered = (what: string, id: unknown) => (nameOf(id) === '' ? '' : `${what} ${nameOf(id)}`)
  return (
    nameOf(AccountID) ||
    nameOf(UserName) ||
    numbered('role', RoleID) ||
    numbered('group', CityID) ||
    numbered('template', TemplateID) ||
    nameOf(EventID) ||
    nameOf(number) ||
    nameOf(Name)
  )
}

const nameOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
