import type { CommandRecord } from '@linewarden/contract'
import { actorName } from '@linewarden/contract'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useLiveLink } from '../../app/net/live-link.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { lineLedger } from '../../paths.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { clockTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { outcomeWord, stepWord } from './command-words.ts'
import { useCommands } from './queries.ts'
import { stopsOf } from './stops.ts'
import './ledger.css'

/** What was ordered on this line and how far each order got. Acknowledged is not the end: only a reported position is. */
export function Ledger({ lineRef: { device, line } }: { lineRef: LineRef }) {
  const { t } = useTranslation(['control', 'operations'])
  const polling = useLiveLink(({ link }) => link === 'closed')
  const commands = useCommands(device.ControllerID, line.LineNo, polling)
  const { data } = commands
  const section = useRef<HTMLElement>(null)
  const newest = data?.items[0]?.CommandID
  const known = useRef(newest)
  useEffect(() => {
    // A command that was given just now: its steps come into sight.
    if (known.current !== newest && data && known.current !== undefined) section.current?.scrollIntoView({ block: 'center' })
    known.current = newest ?? (data ? '' : undefined)
  }, [newest, data])
  return (
    <section className="part" aria-label={t('ledger')} ref={section}>
      <h3>
        {t('ledger')} <small>{t('ledgerHint')}</small>
        <span className="grow" />
        <Link to={lineLedger(device.ControllerID, line.LineNo)}>{t('operations:allLedger')}</Link>
      </h3>
      {!data && <Unloaded query={commands} />}
      {data?.items.length === 0 && <p className="mute">{t('noCommands')}</p>}
      <ol className="ledger" aria-live="polite">
        {data?.items.map((command) => (
          <Entry key={command.CommandID} command={command} />
        ))}
      </ol>
    </section>
  )
}

function Entry({ command }: { command: CommandRecord }) {
  const { t } = useTranslation(['control', 'app'])
  const outcome = outcomeWord(command.Outcome)
  const words = {
    requested: t('requested'),
    authorised: t('authorised'),
    sent: t('sent'),
    acknowledged: t('acknowledged'),
    verified: stepWord({ State: 'verified', Action: command.Action }),
  }
  return (
    <li>
      <p className="what">
        <b>{t(command.Action)}</b> {localised(actorName(command.Actor))} <span className="mute">{localised(command.Reason)}</span>
      </p>
      <p className={`outcome ${command.State}`}>
        {stepWord(command)}
        {outcome && `${t('app:colon')}${outcome}`}
        {command.VerifiedAt !== null && (
          <span className="mute">
            {' '}
            · {t('took', { seconds: ((command.VerifiedAt - command.RequestedAt) / 1000).toFixed(2) })}
          </span>
        )}
      </p>
      <ol className="stops">
        {stopsOf(command).map(({ key, at, mark }) => (
          <li key={key} className={mark}>
            {words[key]}
            {at === null && <span className="hidden-visually">{t('notYet')}</span>}
            <small>
              {at === null ? '–' : key === 'requested' ? clockTime(at) : `+${((at - command.RequestedAt) / 1000).toFixed(2)} s`}
            </small>
          </li>
        ))}
      </ol>
    </li>
  )
}
