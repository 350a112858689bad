import type { Evidence } from '@linewarden/contract'
import { actorName } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { clockTime } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { drawnKind, Mark } from '../../../ui/mark.tsx'
import { SwitchSymbol } from '../../../ui/switch-symbol.tsx'
import { stateWord } from '../../control/command-words.ts'

type Copy = NonNullable<Evidence['Copy']>
type Neighbour = Copy['Upstream'][number]

/** So many lines below are named; the others are counted. */
const maxBelow = 8

/** States before and after, lines above and below, orders, and what else was reported of the line. */
export function EvidenceAround({ copy, family }: { copy: Copy; family?: Family }) {
  const { t } = useTranslation('alarmEvidence')
  const others = copy.Events.filter(({ Kind }) => Kind !== 'order')
  return (
    <>
      <Positions copy={copy} {...(family && { family })} />
      <h4>{t('commands')}</h4>
      {copy.Commands === null && <p className="mute">{t('commandsUnseen')}</p>}
      {copy.Commands?.length === 0 && <p className="mute">{t('noCommands')}</p>}
      <ul>
        {copy.Commands?.map((command) => (
          <li key={command.CommandID}>
            <span className="time">{clockTime(command.RequestedAt)}</span>
            <span>
              {stateWord(command)} · {localised(actorName(command.Actor))}
            </span>
          </li>
        ))}
      </ul>
      {others.length > 0 && <h4>{t('happened')}</h4>}
      <ul>
        {others.map(({ EventID, At, Kind, Label }) => (
          <li key={`${EventID} ${At}`}>
            <span className="time">{clockTime(At)}</span>
            {Kind !== 'journal' && <Mark kind={drawnKind(Kind)} />}
            <span>{localised(Label)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Positions({ copy, family }: { copy: Copy; family?: Family }) {
  const { t } = useTranslation('alarmEvidence')
  const own = (states: Copy['Before']) => states.find(({ Key }) => Key === 'position')?.Value ?? null
  const [before, after] = [own(copy.Before), own(copy.After)]
  const words = family?.states.find(({ key }) => key === 'position')?.values
  const word = (position: string | null) => {
    const known = words?.find(({ key }) => key === position)
    return known ? localised(known.label) : '–'
  }
  const isSwitch = before !== null || after !== null
  const hasNeighbours = copy.Upstream.length + copy.Downstream.length > 0 || copy.FeederUnseen
  if (!isSwitch && !hasNeighbours) return null
  const below = copy.Downstream.slice(0, maxBelow)
  return (
    <>
      <h4>{t('positions')}</h4>
      <ul>
        {isSwitch && (
          <li>
            <span className="whose">{t('own')}</span>
            <Position position={after} />
            <span>{before === after ? word(after) : `${word(before)} → ${word(after)}`}</span>
          </li>
        )}
        {copy.FeederUnseen && (
          <li>
            <span className="whose">{t('upstream')}</span>
            <span className="mute">{t('upstreamUnseen')}</span>
          </li>
        )}
        {copy.Upstream.length === 0 && !copy.FeederUnseen && (
          <li>
            <span className="whose">{t('upstream')}</span>
            <span className="mute">{t('noUpstream')}</span>
          </li>
        )}
        {copy.Upstream.map((line) => (
          <Line key={line.LineID} side={t('upstream')} line={line} word={word(line.Position)} />
        ))}
        {below.map((line) => (
          <Line key={line.LineID} side={t('downstream')} line={line} word={word(line.Position)} />
        ))}
        {copy.Downstream.length > below.length && (
          <li>
            <span className="whose" />
            <span className="mute">{t('moreLines', { count: copy.Downstream.length - below.length })}</span>
          </li>
        )}
      </ul>
    </>
  )
}

function Line({ side, line, word }: { side: string; line: Neighbour; word: string }) {
  const { t } = useTranslation('alarmEvidence')
  return (
    <li>
      <span className="whose">{side}</span>
      <Position position={line.Position} />
      <span>
        {line.LineName} <LineTag lineId={line.LineID} /> · {word}
        {line.OpenedAt !== null && <span className="mute"> · {t('openedAt', { time: clockTime(line.OpenedAt) })}</span>}
      </span>
    </li>
  )
}

const Position = ({ position }: { position: string | null }) => (
  <SwitchSymbol state={position === 'open' || position === 'closed' ? position : 'unknown'} />
)
