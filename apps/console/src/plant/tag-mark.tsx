import { useTranslation } from 'react-i18next'
import { taggedAmong } from './tag-counts.ts'
import { useTagCounts, useTagsOf } from './tagged-lines.ts'
import './tag-mark.css'

/** A lock-out tag is in force on the line: boxed, in ink, wherever the line is shown. Nothing where none hangs; null: not known. */
export function TagMark({ count, plate = false }: { count: number | null; plate?: boolean }) {
  const { t } = useTranslation('monitor')
  if (count === null) return <UnknownMark />
  if (count === 0) return null
  return (
    <span className={plate ? 'tag-mark plate' : 'tag-mark'} title={t('taggedHint', { count })}>
      {count > 1 || plate ? t('taggedCount', { count }) : t('tagged')}
    </span>
  )
}

/** The same of what stands for several lines: a folded cabinet, a project, a timer. `count`: how many of them are tagged. */
export function TaggedMark({ count }: { count: number | null }) {
  const { t } = useTranslation('monitor')
  if (count === null) return <UnknownMark />
  if (count === 0) return null
  return (
    <span className="tag-mark plate" title={t('taggedBelow', { count })}>
      {t('taggedCount', { count })}
    </span>
  )
}

/** Nobody knows: not the same as none. */
function UnknownMark() {
  const { t } = useTranslation('monitor')
  return (
    <span className="tag-mark unknown" title={t('tagsUnknownHint')}>
      {t('tagsUnknown')}
    </span>
  )
}

/** The mark of a line on a page that does not watch it. Null: there is no such line. */
export function LineTag({ lineId }: { lineId: number | null }) {
  return lineId === null ? null : <OfLine lineId={lineId} />
}

const OfLine = ({ lineId }: { lineId: number }) => <TagMark count={useTagsOf(lineId)} />

/** How many of these lines are tagged, where they are counted or only the first of them are named. */
export function LineTags({ lineIds }: { lineIds: readonly number[] }) {
  const tags = useTagCounts()
  return lineIds.length === 0 ? null : <TaggedMark count={taggedAmong(tags, lineIds)} />
}

/** What is to close lines says of which of them it will not, or that this is not known. */
export function TaggedNote({ lineIds }: { lineIds: readonly number[] }) {
  const { t } = useTranslation('monitor')
  const tags = useTagCounts()
  const count = lineIds.length === 0 ? 0 : taggedAmong(tags, lineIds)
  if (count === 0) return null
  return (
    <p className="tagged-note" role="status">
      <TaggedMark count={count} />
      {count === null ? <span className="unknown">{t('tagsUnknownHint')}</span> : t('taggedStay', { count })}
    </p>
  )
}
