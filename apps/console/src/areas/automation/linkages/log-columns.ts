import type { LinkageEvidence, LinkageLogEntry } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { civilZone, lineOutcome } from '@linewarden/rules/automation'
import type { TFunction } from 'i18next'
import i18next from 'i18next'
import { localised } from '../../../ui/i18n.ts'
import { momentText } from '../../../ui/moment-text.ts'
import type { TableColumn } from '../../../ui/table-column.ts'
import { conditionText, valueText } from './condition-facts.ts'

/** What the export of the log has of an entry; instants on the clock of its project. */
export function logColumns(
  t: TFunction<'linkageLogTexts'>,
  why: (key: string) => string,
  zoneOf: (houseId: number) => string,
): readonly TableColumn<LinkageLogEntry>[] {
  const column = (key: string, head: string, text: (entry: LinkageLogEntry) => string | null): TableColumn<LinkageLogEntry> => ({
    ...{ key, head, text, cell: text },
  })
  return [
    column('At', t('time'), ({ At, HouseID }) => momentText('second', civilZone(zoneOf(HouseID)).wallAt(At))),
    column('Name', t('name'), ({ Name }) => Name),
    column('State', t('result'), ({ State, Mode }) =>
      State === null ? t('nearly') : Mode === 'shadow' ? t('shadow') : i18next.t(`automation:runStates.${State}`),
    ),
    column('Conditions', t('conditions'), ({ Conditions }) => Conditions.map(evidenceText).join('; ')),
    column('Lines', t('lines'), ({ Lines, WouldHave }) =>
      [
        ...Lines.map(({ Action, LineName, State, Refusal, Command }) => {
          const outcome = lineOutcome({ state: State, why: Refusal?.Key ?? null, command: Command?.State ?? null })
          const done = `${i18next.t(`linkages:kinds.${Action}`)} ${LineName}: ${t(`outcomes.${outcome}`)}`
          return Refusal ? `${done} (${localised(Refusal.Text)})` : done
        }),
        ...WouldHave.map(({ Kind, LineName }) => `${t('would', { action: wordOf(Kind) })} ${LineName ?? ''}`.trim()),
      ].join('; '),
    ),
    column('Why', t('reason'), ({ Why }) => (Why === null ? null : why(Why))),
    column('Actor', t('actorHead'), ({ Actor }) => Actor),
    column('RunID', t('runHead'), ({ RunID }) => RunID),
  ]
}

const wordOf = (kind: LinkageLogEntry['WouldHave'][number]['Kind']): string => i18next.t(`linkages:kinds.${kind}`).toLowerCase()

function evidenceText({ Kind, Key, LineName, Op, Limit, Value, Family }: LinkageEvidence): string {
  const family = Family === null ? null : familyOf(Family)
  const named = { Kind, Key, LineName: LineName ?? '' }
  return `${conditionText({ ...named, Op, Value: Limit }, family)}: ${valueText(named, family, Value)}`
}
