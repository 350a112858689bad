import type { OverriddenLine } from '@linewarden/contract'
import { querySwitch, releaseLine } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { messageOf } from '../../../app/net/api.ts'
import { change } from '../../../app/net/change.ts'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { useMay, useMayEdit } from '../../../app/session/use-may.ts'
import { lineDrawer } from '../../../paths.ts'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import { addTexts } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { overriddenBy, overrideText } from '../../control/override-text.ts'
import { untilText, whenOf } from '../parts/civil-text.ts'
import { Overrides } from '../parts/overrides.tsx'
import { timers } from './texts.ts'
import './timer-drawer.css'

addTexts({ timers })

/** Lines that people have on hold, and the one that is looked at, on a page whose own details stand in the same place. */
export function OverriddenLines({
  houseId,
  isCovered,
  onOpen,
}: {
  houseId: number | null
  /** The page shows other details there. */
  isCovered: boolean
  onOpen: () => void
}) {
  const [line, setLine] = useState<OverriddenLine | null>(null)
  const open = (to: OverriddenLine) => {
    onOpen()
    setLine(to)
  }
  return (
    <>
      <Overrides houseId={houseId} onOpen={open} />
      {line && !isCovered && <OverrideDrawer key={line.LineID} line={line} onClose={() => setLine(null)} />}
    </>
  )
}

/** A line that a person has on hold: until when and why, what acts on it once that is over, and the end of it. */
export function OverrideDrawer({ line, onClose }: { line: OverriddenLine; onClose: () => void }) {
  const { t } = useTranslation(['timers', 'automation', 'timedLines', 'app'])
  const mayEdit = useMayEdit()
  const maySwitch = useMay('lineSwitch')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const { ControllerID, LineNo, TimeZone } = line
  const reason = mayEdit ? (maySwitch ? null : t('noSwitching')) : t('onlyReads')
  const end = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await change(releaseLine, { params: { ControllerID, LineNo } })
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Drawer
      label={t('timedLines:override')}
      title={
        <>
          <h2>{line.LineName}</h2>
          <LineTag lineId={line.LineID} />
        </>
      }
      subtitle={
        <p className="mute">
          {line.HouseName} ·{' '}
          <Link className="text-link" to={lineDrawer(line.HouseID, line.LineID)}>
            {t('showLine')}
          </Link>
        </p>
      }
      foot={
        <footer className="drawer-foot override-foot">
          <button type="button" className="btn large" onClick={onClose}>
            {t('app:cancel')}
          </button>
          <ReasonedButton className="btn large primary" aria-busy={busy} reason={reason} onClick={busy ? () => {} : end}>
            {t('timedLines:end')}
          </ReasonedButton>
        </footer>
      }
      onClose={onClose}
    >
      <div className="drawer-parts override-parts">
        <section className="override-box" aria-label={t('timedLines:override')}>
          <h3>
            <Icon name="hand" />
            <span>{overrideText(line, TimeZone, line.Timed)}</span>
            {line.Until !== null && <Left until={line.Until} />}
          </h3>
          <p>{overriddenBy(line, TimeZone)}</p>
          {line.Reason !== '' && <p>{t('timedLines:reasonOf', { reason: line.Reason })}</p>}
          <p className="mute">
            {t(
              line.Timed
                ? line.Kind === 'until'
                  ? 'overrideUntil'
                  : line.Kind === 'stay'
                    ? 'overrideStay'
                    : 'overrideNext'
                : 'overrideOfLinkages',
            )}
          </p>
        </section>
        <After line={line} problem={problem} />
      </div>
    </Drawer>
  )
}

/** What acts on the line once the hold is over; `problem`: why it could not be ended. */
function After({ line: { ControllerID, LineNo, TimeZone }, problem }: { line: OverriddenLine; problem: string | null }) {
  const { t } = useTranslation(['timers', 'timedLines'])
  const query = useCall(querySwitch, { query: { ControllerID, LineNo } }, { refetchInterval: 10_000 })
  const items = query.data?.items ?? []
  const next = items.filter((each) => each.Kind === 'timer' && each.NextAt !== null && each.NextAction !== null)
  const closing = items.flatMap(({ Kind, ID, Name, Enabled, NextAction }) =>
    Kind !== 'timer' && Enabled && NextAction === 'close' ? [{ Kind, ID, Name }] : [],
  )
  return (
    <section className="part" aria-label={t('afterOverride')}>
      <h3>{t('afterOverride')}</h3>
      <Unloaded query={query} />
      {query.data && next.length + closing.length === 0 && <p className="mute">{t('nothingDue')}</p>}
      <ul className="override-next">
        {next.map((each) => (
          <li key={`${each.ID} ${each.NextAt}`}>
            <b>
              {whenOf(each.NextAt ?? 0, TimeZone)} {each.NextAction && t(`timedLines:actions.${each.NextAction}`)}
            </b>
            <span className="mute">{each.Name}</span>
          </li>
        ))}
        {closing.map((each) => (
          <li key={`${each.Kind} ${each.ID}`}>{t(`closedBy.${each.Kind}`, { name: each.Name })}</li>
        ))}
      </ul>
      <p className="mute">{t('overrideEnds')}</p>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}

const Left = ({ until }: { until: number }) => {
  const now = useNow()
  return <small>{untilText(until - now)}</small>
}
