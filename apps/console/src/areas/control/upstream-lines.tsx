import type { TripAnalysis } from '@linewarden/contract'
import { lineFeed, setFeed } from '@linewarden/contract'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { change } from '../../app/net/change.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMay } from '../../app/session/use-may.ts'
import { plantDiagram } from '../../paths.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { useLineRefs, useProjects } from '../../plant/queries.ts'
import { StateWord } from '../../plant/state-word.tsx'
import { tagsOn } from '../../plant/tag-counts.ts'
import { LineTag, TagMark } from '../../plant/tag-mark.tsx'
import { useTagCounts } from '../../plant/tagged-lines.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { MomentField } from '../../ui/moment-field.tsx'
import { momentIn, momentText } from '../../ui/moment-text.ts'
import { PickField } from '../../ui/pick-field.tsx'
import { problemOf } from './problem-of.ts'
import './safety.css'

/** The lines upstream of this one, up to the supply, and those downstream of it: the analysis of a trip shows them, too. */
export function UpstreamLines({ lineRef }: { lineRef: LineRef }) {
  const { t } = useTranslation(['safety', 'control'])
  const { device, line } = lineRef
  const may = useMay('lineSwitch')
  const [setting, setSetting] = useState(false)
  const params = { ControllerID: device.ControllerID, LineNo: line.LineNo }
  const neighbours = useCall(lineFeed, { params }, { refetchInterval: 10_000 })
  const { data } = neighbours
  return (
    <section className="part feed" aria-label={t('feed')}>
      <h3>
        {t('feed')}
        <span className="grow" />
        <Link className="btn small quiet" to={plantDiagram(lineRef.project.HouseID)}>
          {t('diagram')}
        </Link>
        <ReasonedButton
          className="btn small"
          reason={may ? (data ? null : t('control:notLoadedYet')) : t('control:noPermission')}
          onClick={() => setSetting(true)}
        >
          {t('feedSet')}
        </ReasonedButton>
      </h3>
      {!data && <Unloaded query={neighbours} />}
      {data && (
        <dl>
          <dt>{t('upstream')}</dt>
          <dd>
            {data.FeederUnseen && <span className="mute">{t('feederUnseen')}</span>}
            {data.Upstream.length === 0 && !data.FeederUnseen && <span className="mute">{t('feedNone')}</span>}
            {data.Upstream.map((each) => (
              <LineLink key={each.LineID} line={each} />
            ))}
          </dd>
          {data.Downstream.length > 0 && (
            <>
              <dt>{t('downstream')}</dt>
              <dd>
                {data.Downstream.map((each) => (
                  <LineLink key={each.LineID} line={each} />
                ))}
              </dd>
            </>
          )}
        </dl>
      )}
      {setting && data && (
        <UpstreamDialog
          lineRef={lineRef}
          present={data.FeederUnseen ? 'unseen' : (data.Upstream[0] ?? null)}
          below={data.Downstream}
          onClose={() => setSetting(false)}
        />
      )}
    </section>
  )
}

type Neighbour = TripAnalysis['Upstream'][number]

/** Another line's drawer, with the page left as it is. */
function LineLink({ line }: { line: Neighbour }) {
  const { search } = useLocation()
  const query = new URLSearchParams(search)
  query.set('line', String(line.LineID))
  const condition = line.Position === 'open' || line.Position === 'closed' ? line.Position : 'unknown'
  return (
    <Link to={{ search: query.toString() }}>
      <span>{line.LineName}</span>
      <LineTag lineId={line.LineID} />
      <StateWord condition={condition} />
    </Link>
  )
}

function UpstreamDialog({
  lineRef,
  present,
  below,
  onClose,
}: {
  lineRef: LineRef
  /** `unseen`: its upstream line is one that this person does not see; it stays unless they choose another. */
  present: Neighbour | 'unseen' | null
  below: readonly Neighbour[]
  onClose: () => void
}) {
  const { t } = useTranslation(['safety', 'monitor', 'app'])
  const { device, line, project } = lineRef
  // As it was read for this form, whatever is read behind it.
  const [opened] = useState(present)
  const first = opened === 'unseen' ? opened : opened ? String(opened.LineID) : ''
  const kept = opened === 'unseen' ? [{ value: opened, label: t('feederUnseen') }] : []
  const [chosen, setChosen] = useState<string>(first)
  const [since, setSince] = useState('')
  const houses = useMemo(() => [project.HouseID], [project.HouseID])
  const lines = useLineRefs(useProjects(houses).projects)
  const tags = useTagCounts()
  const under = new Set(below.map(({ LineID }) => LineID))
  const options = lines
    .filter(({ family, line: each }) => family?.level === 'line' && each.LineID !== line.LineID && !under.has(each.LineID))
    .map(({ line: each, gateway }) => ({
      ...{ value: String(each.LineID), label: each.LineName, note: gateway.GatewayName },
      beside: <TagMark count={tagsOn(tags, each.LineID)} />,
    }))
  const save = async () => {
    const past = chosen === 'unseen' ? null : momentIn('day', since)
    if (chosen !== 'unseen' && since.trim() !== '' && past === null) return t('feedSinceWrong')
    if (chosen === first && past === null) return null
    const upstreamLine = chosen === '' ? null : lines.find(({ line: each }) => String(each.LineID) === chosen)
    if (upstreamLine === undefined) return t('monitor:goneLine')
    const Was = opened === 'unseen' ? opened : opened && { ControllerID: opened.ControllerID, LineNo: opened.LineNo }
    const FedBy = upstreamLine && { ControllerID: upstreamLine.device.ControllerID, LineNo: upstreamLine.line.LineNo }
    const params = { ControllerID: device.ControllerID, LineNo: line.LineNo }
    const Since = past === null ? {} : { Since: momentText('day', past) }
    return change(setFeed, { params, body: { FedBy, Was, ...Since } }).then(() => null, problemOf)
  }
  return (
    <FormDialog title={t('feedTitle', { name: line.LineName })} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      <p>{t('feedWhat')}</p>
      <PickField
        label={t('feedBy')}
        value={chosen}
        options={[...kept, { value: '', label: t('feedTop') }, ...options]}
        placeholder={t('feedPick')}
        onChange={setChosen}
      />
      {chosen !== 'unseen' && (
        <MomentField kind="day" label={t('feedSince')} hint={t('feedSinceHint')} value={since} onChange={setSince} />
      )}
    </FormDialog>
  )
}
