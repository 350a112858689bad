import type { Project, TariffContent, TariffHead, TariffVersionRecord } from '@linewarden/contract'
import { publishTariff, saveTariffDraft } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { LeaveDialog } from '../../ui/leave-dialog.tsx'
import { MomentField } from '../../ui/moment-field.tsx'
import { momentIn, momentText } from '../../ui/moment-text.ts'
import { useUnsaved } from '../../ui/use-unsaved.ts'
import { PriceSeries } from './price-series.tsx'
import { TariffDemand } from './tariff-demand.tsx'
import { TariffEffect } from './tariff-effect.tsx'
import { TariffPrices } from './tariff-prices.tsx'
import { TariffStrips } from './tariff-strips.tsx'
import { isBySeries, problemsOf } from './tariff-values.ts'

interface Props {
  readonly house: Project
  readonly tariffId: number
  readonly currency: string
  readonly versions: readonly TariffHead[]
  readonly reason: string | null
}

/** A draft of a tariff: it may be saved however wrong it is, and published once nothing is. */
export function TariffEditor(
  props: Props & {
    /** Null: it is not saved yet. */
    readonly draft: TariffVersionRecord | null
    readonly start: TariffContent
    readonly onSaved: (versionId: number | null) => void
  },
) {
  const { house, tariffId, currency, versions, reason, onSaved } = props
  const { t } = useTranslation('tariffs')
  // As it was read or saved last: what somebody else saves meanwhile never takes away what is typed here.
  const [{ draft, start }, setSaved] = useState({ draft: props.draft, start: props.start })
  const [content, setContent] = useState(start)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState<'publish' | 'remove' | null>(null)
  const isChanged = draft === null || content !== start
  const unsaved = useUnsaved(content !== start)
  const edit = (part: Partial<TariffContent>) => {
    setFailure(null)
    setContent((before) => ({ ...before, ...part }))
  }
  const problems = problemsOf(content, versions, draft?.Head.VersionID ?? 0)
  const ask = { HouseID: house.HouseID, TariffID: tariffId, ...(draft && { VersionID: draft.Head.VersionID }) }
  const save = async () => {
    setBusy(true)
    try {
      const saved = await change(saveTariffDraft, { body: { ...ask, Version: draft?.Head.Version ?? 0, Content: content } })
      if (draft === null) {
        unsaved.release()
        onSaved(saved?.Head.VersionID ?? null)
      } else if (saved) {
        setSaved({ draft: saved, start: saved.Content })
        setContent(saved.Content)
      }
    } catch (error) {
      setFailure(messageOf(error))
    }
    setBusy(false)
  }
  const publish = async (): Promise<string | null> => {
    if (!draft) return t('saveFirst')
    try {
      const { VersionID, Version } = draft.Head
      await change(publishTariff, { body: { HouseID: house.HouseID, VersionID, Version } })
      onSaved(VersionID)
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
  const remove = async (): Promise<string | null> => {
    if (!draft) return null
    try {
      await change(saveTariffDraft, { body: { ...ask, Version: draft.Head.Version, Content: null } })
      unsaved.release()
      onSaved(null)
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
  const whyNot =
    reason ?? (problems.length > 0 ? t('problemsFirst', { count: problems.length }) : isChanged ? t('saveFirst') : null)
  return (
    <div className="tariff-editor">
      <HeadFields content={content} onEdit={edit} />
      <TariffStrips content={content} onEdit={edit} />
      <TariffPrices content={content} currency={currency} onEdit={edit} />
      {isBySeries(content) && <PriceSeries {...{ house, tariffId, currency, reason }} />}
      <TariffDemand content={content} onEdit={edit} />
      {draft && !isChanged && <TariffEffect houseId={house.HouseID} versionId={draft.Head.VersionID} />}
      <Problems problems={problems} failure={failure} />
      <div className="tariff-acts">
        {draft && (
          <ReasonedButton className="btn quiet" reason={reason} onClick={() => setAsking('remove')}>
            {t('removeDraft')}
          </ReasonedButton>
        )}
        <ReasonedButton className="btn" reason={reason ?? (busy ? t('saving') : null)} onClick={() => void save()}>
          {t('saveDraft')}
        </ReasonedButton>
        <ReasonedButton className="btn primary" reason={whyNot} onClick={() => setAsking('publish')}>
          {t('publish')}
        </ReasonedButton>
      </div>
      <Asked asking={asking} from={content.From} onPublish={publish} onRemove={remove} onClose={() => setAsking(null)} />
      {unsaved.isLeaving && (
        <LeaveDialog
          title={t('leaveTitle')}
          what={t('leaveWhat')}
          leave={t('leave')}
          stay={t('stay')}
          onLeave={unsaved.leave}
          onStay={unsaved.stay}
        />
      )}
    </div>
  )
}

/** What cannot be taken back is asked for. */
function Asked(props: {
  asking: 'publish' | 'remove' | null
  from: string
  onPublish: () => Promise<string | null>
  onRemove: () => Promise<string | null>
  onClose: () => void
}) {
  const { asking, from, onPublish, onRemove, onClose } = props
  const { t } = useTranslation('tariffs')
  if (asking === null) return null
  const isPublish = asking === 'publish'
  const title = t(isPublish ? 'publish' : 'removeDraft')
  return (
    <ConfirmDialog
      title={title}
      what={isPublish ? t('surePublish', { from }) : t('sureRemove')}
      submit={title}
      onConfirm={isPublish ? onPublish : onRemove}
      onClose={onClose}
    />
  )
}

/** From when, until when, and by what. */
function HeadFields({ content, onEdit }: { content: TariffContent; onEdit: (part: Partial<TariffContent>) => void }) {
  const { t } = useTranslation('tariffs')
  const [from, setFrom] = useState(content.From)
  const [to, setTo] = useState(content.To ?? '')
  const dayIn = (text: string): string | null => {
    const at = momentIn('day', text)
    return at === null ? null : momentText('day', at)
  }
  const wrong = (text: string): string | null => (dayIn(text) === null ? t('dayWrong') : null)
  return (
    <div className="tariff-head">
      <MomentField
        kind="day"
        label={t('validFrom')}
        required
        value={from}
        error={wrong(from)}
        onChange={(text) => {
          setFrom(text)
          const day = dayIn(text)
          if (day !== null) onEdit({ From: day })
        }}
      />
      <MomentField
        kind="day"
        label={t('validTo')}
        hint={t('validToHint')}
        value={to}
        error={to.trim() === '' ? null : wrong(to)}
        onChange={(text) => {
          setTo(text)
          if (text.trim() === '') onEdit({ To: null })
          const day = dayIn(text)
          if (day !== null) onEdit({ To: day })
        }}
      />
      <TextField
        label={t('source')}
        hint={t('sourceHint')}
        required
        maxLength={300}
        value={content.Source}
        onChange={(Source) => onEdit({ Source })}
      />
    </div>
  )
}

function Problems({ problems, failure }: { problems: readonly string[]; failure: string | null }) {
  const { t } = useTranslation('tariffs')
  return (
    <section className="tariff-problems" aria-label={t('problems')} aria-live="polite">
      {failure !== null && <p className="tariff-failure">{failure}</p>}
      {problems.length === 0 ? (
        <p className="mute">{t('noProblems')}</p>
      ) : (
        <>
          <b>{t('problemsCount', { count: problems.length })}</b>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
