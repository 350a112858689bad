import type { Linkage } from '@linewarden/contract'
import { linkageLog, linkagePermit } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { Loading } from '../../../ui/body-state.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { whenOf } from '../parts/civil-text.ts'
import { RunLineRow } from '../scenes/run-line.tsx'

/** What comes live comes sooner. */
const everyMs = 2_000

/** How far a run has come that a person started, line by line; what it does after a delay is a run of its own. */
export function RunProgress({ linkage, executionId, onBack }: { linkage: Linkage; executionId: string; onBack: () => void }) {
  const { t } = useTranslation(['linkages', 'automation', 'scenes'])
  const { LinkageID, Actions, TimeZone } = linkage
  const query = useCall(linkageLog, { body: { LinkageID, Size: 50 } }, { refetchInterval: everyMs })
  const { data: permit } = useCall(linkagePermit, { params: { LinkageID } }, { refetchInterval: everyMs })
  const drawn = new Map(permit?.Items.map(({ LineID, Switch }) => [LineID, Switch]))
  const runs = (query.data?.items ?? [])
    .filter(({ RunID, ParentRunID }) => RunID === executionId || ParentRunID === executionId)
    .toReversed()
  const later = Actions.filter(({ DelayS }) => DelayS > 0).length - (runs.length - 1)
  return (
    <section className="part scene-progress" aria-label={t('runLines')}>
      <button type="button" className="btn small back" onClick={onBack}>
        <Icon name="left" />
        {t('backToLinkage')}
      </button>
      <Unloaded query={query} />
      {query.data && runs.length === 0 && <Loading />}
      {runs.map(({ RunID, State, At, Actor, Lines }) => (
        <div key={RunID}>
          <div className="run-head">
            <h3 role="status">{State && t(`automation:runStates.${State}`)}</h3>
            {Actor !== null && <p className="mute">{t('runOf', { actor: Actor, time: whenOf(At, TimeZone) })}</p>}
          </div>
          {Lines.length > 0 && <p className="track-key">{t('scenes:track')}</p>}
          <ol>
            {Lines.map((line, index) => (
              <RunLineRow key={`${line.LineID} ${line.Action}`} line={line} no={index + 1} drawn={drawn.get(line.LineID)} />
            ))}
          </ol>
        </div>
      ))}
      {runs.length > 0 && later > 0 && <p className="mute">{t('runLater', { count: later })}</p>}
    </section>
  )
}
