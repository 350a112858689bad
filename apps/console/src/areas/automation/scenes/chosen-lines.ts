import type { insertScene, Request, SceneItem } from '@linewarden/contract'
import type { SceneAction } from '@linewarden/rules/automation'

/** A line as the form has it. */
export interface ChosenLine {
  readonly ControllerID: string
  readonly LineNo: number
  readonly LineID: number
  readonly LineName: string
  readonly place: string
}

/** Trips go out at once, closes in this order. A line is in one of them. */
export type ChosenLines = Readonly<Record<SceneAction, readonly ChosenLine[]>>

export const noLines: ChosenLines = { trip: [], close: [] }

export const lineKey = ({ ControllerID, LineNo }: Pick<ChosenLine, 'ControllerID' | 'LineNo'>): string =>
  `${ControllerID}/${LineNo}`

export const chosenCount = ({ trip, close }: ChosenLines): number => trip.length + close.length

export const chosenOfItems = (items: readonly SceneItem[]): ChosenLines => {
  const of = (action: SceneAction) =>
    items.flatMap(({ Action, ControllerID, LineNo, LineID, LineName, GatewayName }) =>
      Action === action ? [{ ControllerID, LineNo, LineID, LineName, place: GatewayName }] : [],
    )
  return { trip: of('trip'), close: of('close') }
}

/** As the calls take them: each by its place in the order. */
export const itemsOf = (chosen: ChosenLines): Request<typeof insertScene>['body']['Items'] =>
  (['trip', 'close'] as const).flatMap((Action) =>
    chosen[Action].map(({ ControllerID, LineNo }, Order) => ({ ControllerID, LineNo, Action, Order })),
  )

/** These are in it, at its end where they were not. */
export function withLines(chosen: ChosenLines, action: SceneAction, lines: readonly ChosenLine[]): ChosenLines {
  const keys = new Set([...chosen.trip, ...chosen.close].map(lineKey))
  return { ...chosen, [action]: [...chosen[action], ...lines.filter((line) => !keys.has(lineKey(line)))] }
}

export function withoutLines(chosen: ChosenLines, keys: ReadonlySet<string>): ChosenLines {
  const rest = (lines: readonly ChosenLine[]) => lines.filter((line) => !keys.has(lineKey(line)))
  return { trip: rest(chosen.trip), close: rest(chosen.close) }
}

/** The same line with the other action, at the end of those. */
export function withAction(chosen: ChosenLines, line: ChosenLine, action: SceneAction): ChosenLines {
  return withLines(withoutLines(chosen, new Set([lineKey(line)])), action, [line])
}

/** One of the closes moved to another place; what lies outside is the nearest end. */
export function movedTo(chosen: ChosenLines, from: number, to: number): ChosenLines {
  const line = chosen.close[from]
  const place = Math.min(Math.max(to, 0), chosen.close.length - 1)
  if (!line || place === from) return chosen
  return { ...chosen, close: chosen.close.toSpliced(from, 1).toSpliced(place, 0, line) }
}
