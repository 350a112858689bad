import type {
  ArrivalSent,
  InspectionAnswer,
  InspectionItem,
  RoundPackage,
  RoundStop,
  StoredInspectionAnswer,
} from '@linewarden/contract'
import type { AnswerResult, ChecklistItem, PhotoDemand } from '@linewarden/rules/inspection'
import { contentOf, lackOf } from '@linewarden/rules/inspection'
import type { Entry, EntryState } from '../../../app/offline/entry.ts'

/** What an entry of a round carries: an answer without its revision, which is the entry's own. */
export type RoundBody =
  | { readonly Does: 'arrive'; readonly Arrival: ArrivalSent }
  | { readonly Does: 'answer'; readonly Answer: Omit<InspectionAnswer, 'Rev'> }

export type RoundEntry = Entry<RoundBody>

export const thingOf = (roundId: string): string => `round:${roundId}`
export const arrivalId = (roundId: string, stopId: number): string => `${thingOf(roundId)}:arrive:${stopId}`
export const answerId = (roundId: string, stopId: number, itemId: string): string =>
  `${thingOf(roundId)}:answer:${stopId}:${itemId}`
export const finishId = (roundId: string): string => `${thingOf(roundId)}:finish`

/** The answer to an item as this phone knows it: its own, or the server's where that is newer. */
export interface ItemNow {
  readonly item: InspectionItem
  readonly answer: Omit<InspectionAnswer, 'Rev'> | null
  /** The highest of the item that this phone knows of. */
  readonly rev: number
  /** The answers that the server told of: whoever answers now knows them. */
  readonly known: readonly string[]
  /** What other phones answered otherwise, until somebody who knows it answers anew. */
  readonly others: readonly StoredInspectionAnswer[]
  /** Null: the answer came with the package. */
  readonly state: EntryState | null
  readonly why: Entry['why']
  /** What is still to be answered, given or photographed. */
  readonly lacks: 'answer' | 'value' | 'reason' | 'photo' | null
}

export interface StopNow {
  readonly stop: RoundStop
  readonly items: readonly ItemNow[]
  /** How somebody arrived; null: nobody did. */
  readonly arrived: Pick<ArrivalSent, 'How' | 'PhoneTime'> | null
  /** So many items still lack something; arriving counts as one. */
  readonly lacking: number
}

const isOf = (entry: Entry, roundId: string): entry is RoundEntry => entry.thing === thingOf(roundId) && entry.kind === 'answer'

/** A round as it stands on this phone. */
export function roundNow(pack: RoundPackage, entries: readonly Entry[]): readonly StopNow[] {
  const { Round, Stops, Checklists, Answers } = pack
  const own = new Map(entries.filter((entry) => isOf(entry, Round.RoundID)).map((entry) => [entry.id, entry]))
  const lists = new Map(Checklists.map(({ List, Items }) => [List, Items]))
  const reported = Map.groupBy(Answers, ({ StopID, ItemID }) => answerId(Round.RoundID, StopID, ItemID))
  return Stops.map((stop) => {
    const arriving = own.get(arrivalId(Round.RoundID, stop.StopID))?.body
    const arrived = arriving?.Does === 'arrive' ? arriving.Arrival : stop.Arrived
    const items = (lists.get(stop.List) ?? []).map((item) => {
      const id = answerId(Round.RoundID, stop.StopID, item.ItemID)
      return itemNow(item, own.get(id), reported.get(id) ?? [], Round.PhotoOn)
    })
    return {
      ...{ stop, items, arrived },
      lacking: items.filter((each) => each.lacks !== null).length + (arrived === null ? 1 : 0),
    }
  })
}

function itemNow(
  item: InspectionItem,
  mine: RoundEntry | undefined,
  reported: readonly StoredInspectionAnswer[],
  photoOn: PhotoDemand,
): ItemNow {
  const reportedRev = Math.max(0, ...reported.map(({ Rev }) => Rev))
  const own = mine?.body.Does === 'answer' ? mine.body.Answer : null
  // What the server does not have yet stands here, whatever others said meanwhile.
  const isMine =
    mine !== undefined && own !== null && (mine.rev >= reportedRev || mine.state === 'waiting' || mine.state === 'refused')
  const answer = isMine ? own : (reported.find(({ Counts }) => Counts) ?? null)
  const isKnown = (id: string) => isMine && own.After?.includes(id) === true
  const shown = answer && contentOfAnswer(answer)
  return {
    ...{ item, answer, rev: Math.max(mine?.rev ?? 0, reportedRev), known: reported.map(({ AnswerID }) => AnswerID) },
    others: reported.filter((each) => !isKnown(each.AnswerID) && contentOfAnswer(each) !== shown),
    ...{ state: isMine ? mine.state : null, why: isMine ? mine.why : null },
    lacks: lacks(item, answer, photoOn),
  }
}

const contentOfAnswer = ({ Result, Value, Choice, Note, Level, Photos }: Given): string =>
  contentOf({ result: Result, value: Value, choice: Choice, note: Note, level: Level, photos: Photos })

type Given = Pick<InspectionAnswer, 'Result' | 'Value' | 'Choice' | 'Note' | 'Level' | 'Photos'>

/** What an answer still needs; null: nothing. The server goes by the same rule. */
export function lacks(item: InspectionItem, answer: Given | null, photoOn: PhotoDemand): ItemNow['lacks'] {
  if (answer === null) return 'answer'
  const { Result: result, Value: value, Choice: choice, Note: note, Level: level, Photos: photos } = answer
  const lack = lackOf(ruleItem(item), { result, value, choice, note, level, photos }, photoOn)
  return lack === 'answer' ? 'value' : lack
}

const ruleItem = ({ ItemID, Text, Kind, Min, Max, Unit, Choices, Source, EveryDays }: InspectionItem): ChecklistItem => ({
  ...{ id: ItemID, text: Text, kind: Kind, min: Min, max: Max, unit: Unit, source: Source, everyDays: EveryDays },
  choices: Choices.map(({ Choice, Text: text, Ok }) => ({ id: Choice, text, ok: Ok })),
})

/** What a figure means: in order, or a defect; null: it is none. */
export function resultOfValue({ Min, Max }: Pick<InspectionItem, 'Min' | 'Max'>, value: number): AnswerResult {
  return (Min !== null && value < Min) || (Max !== null && value > Max) ? 'defect' : 'ok'
}

/** The stop that comes after this one and still lacks something; null: none does. */
export function nextStop(stops: readonly StopNow[], stopId: number): StopNow | null {
  const at = stops.findIndex(({ stop }) => stop.StopID === stopId)
  const after = [...stops.slice(at + 1), ...stops.slice(0, Math.max(0, at))]
  return after.find(({ lacking }) => lacking > 0) ?? null
}

/** The code on a label out of what a camera read: our own address, or the bare code. Null: it is no label of ours. */
export function codeIn(read: string): string | null {
  const text = read.trim()
  const query = /[?&]Code=([0-9A-Za-z]+)/.exec(text)?.[1]
  const code = (query ?? text.replaceAll(/[\s-]/g, '')).toUpperCase()
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(code) ? code : null
}
