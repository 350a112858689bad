import type { InspectionSignature } from '@linewarden/contract'

/** Strokes on a field of 1,000 by 500, as one path. */
export const strokesPath = ({ Strokes }: InspectionSignature): string =>
  Strokes.map((stroke) =>
    stroke.map((value, index) => (index % 2 === 0 ? `${index === 0 ? 'M' : 'L'}${value}` : ` ${value}`)).join(''),
  ).join('')

/** A signature as it was drawn. */
export function SignatureDrawing({ signature, label }: { signature: InspectionSignature; label: string }) {
  return (
    <svg className="signature" viewBox="0 0 1000 500" role="img" aria-label={label}>
      <path d={strokesPath(signature)} />
    </svg>
  )
}
