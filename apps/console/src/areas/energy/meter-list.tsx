import type { Meter, MetersOfLine, Project } from '@linewarden/contract'
import { listMeters } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { projectMoment } from '../../plant/project-moment.ts'
import { Empty } from '../../ui/body-state.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { CorrectMeterDialog, RemoveMeterDialog, ReplaceMeterDialog } from './meter-dialog.tsx'
import { energyMeters } from './meter-texts.ts'
import type { MeterCause } from './meter-values.ts'
import { linesFound, meterCauses } from './meter-values.ts'

addTexts({ energyMeters })

/** Beyond them one searches. */
const maxShown = 60

interface Editing {
  readonly act: 'replace' | 'correct' | 'remove'
  readonly lineId: number
  readonly meter: Meter | null
  readonly cause: MeterCause | null
}

/** The meters of a project's lines: their multipliers, registers and replacements. A balance leads to one of them. */
export function MeterList({ house, reason }: { house: Project; reason: string | null }) {
  const { t } = useTranslation('energyMeters')
  const query = useCall(listMeters, { query: { HouseID: house.HouseID } }, { refetchInterval: 15_000 })
  const [search, setSearch] = useState('')
  const [led, clear] = useLed()
  const [chosen, setChosen] = useState<Editing | null>(null)
  const lines = query.data?.items
  const editing = chosen ?? (reason === null ? ledTo(led, lines ?? []) : null)
  const close = () => {
    setChosen(null)
    clear()
  }
  const found = linesFound(lines ?? [], search)
  return (
    <section className="energy-part" aria-label={t('meters')}>
      <header>
        <h2>{t('meters')}</h2>
        <SearchField label={t('search')} value={search} onChange={setSearch} />
      </header>
      <p className="mute">{t('hint')}</p>
      {!lines && <Unloaded query={query} />}
      {lines?.length === 0 && <Empty title={t('none')} hint={t('noneHint')} />}
      {lines && lines.length > 0 && found.length === 0 && <Empty title={t('noMatch')} />}
      <ul className="energy-cards">
        {found.slice(0, maxShown).map((line) => (
          <li key={line.LineID} aria-label={line.Name}>
            <LineMeters house={house} line={line} reason={reason} onEdit={(each) => setChosen({ ...each, cause: null })} />
          </li>
        ))}
      </ul>
      {found.length > maxShown && <p className="mute">{t('more', { count: found.length - maxShown })}</p>}
      {editing && lines && (
        <Dialogs key={`${editing.act} ${editing.lineId}`} house={house} lines={lines} editing={editing} onClose={close} />
      )}
    </section>
  )
}

function Dialogs(props: { house: Project; lines: readonly MetersOfLine[]; editing: Editing; onClose: () => void }) {
  const { house, lines, editing, onClose } = props
  // As it was when the dialog was opened, whatever is read behind it.
  const [line] = useState(lines.find(({ LineID }) => LineID === editing.lineId))
  if (!line) return null
  const { act, meter, cause } = editing
  if (act === 'replace') return <ReplaceMeterDialog {...{ house, line, onClose }} />
  if (act === 'remove' && meter) return <RemoveMeterDialog {...{ house, line, meter, onClose }} />
  return <CorrectMeterDialog {...{ house, line, meter, cause, onClose }} />
}

/** The line that a balance led to, and what it said of it, held by the address until it is done. */
function useLed() {
  const [query, setQuery] = useSearchParams()
  const clear = () =>
    setQuery((before) => {
      before.delete('meter')
      before.delete('cause')
      return before
    })
  return [{ lineId: Number(query.get('meter')), cause: query.get('cause') }, clear] as const
}

function ledTo(
  { lineId, cause }: { readonly lineId: number; readonly cause: string | null },
  lines: readonly MetersOfLine[],
): Editing | null {
  const line = lines.find(({ LineID }) => LineID === lineId)
  if (!line) return null
  const known = (Object.keys(meterCauses) as MeterCause[]).find((each) => each === cause) ?? null
  return { act: 'correct', lineId, meter: line.Meters.at(-1) ?? null, cause: known }
}

function LineMeters(props: {
  house: Project
  line: MetersOfLine
  reason: string | null
  onEdit: (editing: Omit<Editing, 'cause'>) => void
}) {
  const { house, line, reason, onEdit } = props
  const { t } = useTranslation('energyMeters')
  const { LineID: lineId, Name, GatewayName, Meters, Due } = line
  const [current] = Meters.slice(-1)
  const former = Meters.slice(0, -1).toReversed()
  return (
    <>
      <h3>{Name}</h3>
      <p className="mute">
        <span>{GatewayName}</span>
        {Due && <span>{t('due')}</span>}
      </p>
      {current ? <MeterFacts house={house} meter={current} /> : <p>{t('plain')}</p>}
      <div className="acts">
        <ReasonedButton className="btn small" reason={reason} onClick={() => onEdit({ act: 'replace', lineId, meter: null })}>
          {t('replace')}
        </ReasonedButton>
        <ReasonedButton
          className="btn small quiet"
          reason={reason}
          onClick={() => onEdit({ act: 'correct', lineId, meter: current ?? null })}
        >
          {t('correct')}
        </ReasonedButton>
        {current && (
          <ReasonedButton
            className="btn small quiet"
            reason={reason}
            onClick={() => onEdit({ act: 'remove', lineId, meter: current })}
          >
            {t('remove')}
          </ReasonedButton>
        )}
      </div>
      {former.length > 0 && (
        <ol className="energy-former">
          {former.map((meter) => (
            <li key={meter.MeterID}>
              <MeterFacts house={house} meter={meter} />
              <ReasonedButton
                className="btn small quiet"
                reason={reason}
                aria-label={t('correctOf', { from: spanText(t, meter, house.TimeZone) })}
                onClick={() => onEdit({ act: 'correct', lineId, meter })}
              >
                {t('correct')}
              </ReasonedButton>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

type T = ReturnType<typeof useTranslation<'energyMeters'>>['t']

function spanText(t: T, { From, To }: Meter, timeZone: string): string {
  const from = From === null ? t('first') : projectMoment(From, timeZone)
  if (To !== null) return t('between', { from, to: projectMoment(To, timeZone) })
  return From === null ? from : t('since', { from })
}

function MeterFacts({ house: { TimeZone }, meter }: { house: Project; meter: Meter }) {
  const { t } = useTranslation('energyMeters')
  const { Serial, Multiplier, AccuracyPercent, RegisterMaxKwh, StartRegisterKwh, EndRegisterKwh, Reason, TypedAt, TypedBy } =
    meter
  const at = projectMoment(TypedAt, TimeZone)
  const facts = [
    Serial === '' ? null : t('serialIs', { serial: Serial }),
    t('multiplierIs', { multiplier: Multiplier }),
    t('classIs', { percent: AccuracyPercent }),
    RegisterMaxKwh === null ? null : t('maxIs', { kwh: RegisterMaxKwh }),
    StartRegisterKwh === null ? null : t('startIs', { kwh: StartRegisterKwh }),
    EndRegisterKwh === null ? null : t('endIs', { kwh: EndRegisterKwh }),
  ]
  return (
    <>
      <p>
        <b>{spanText(t, meter, TimeZone)}</b>
        {facts.map((fact) => fact !== null && <span key={fact}>{fact}</span>)}
      </p>
      <p className="mute">
        <span>{Reason}</span>
        <span>{TypedBy === null ? t('typedAt', { at }) : t('typedBy', { name: TypedBy, at })}</span>
      </p>
    </>
  )
}
