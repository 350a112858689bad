import { Logo } from '../../ui/logo.tsx'
import { brandName, useBranding } from './branding.ts'
import './brand-logo.css'

/** The logo of whose installation it is, or the product's own. */
export function BrandLogo({ height = 24 }: { height?: number }) {
  const brand = useBranding()
  return brand.Logo === '' ? (
    <Logo height={height} />
  ) : (
    <img className="brand-logo" src={brand.Logo} alt={brandName(brand)} height={height} />
  )
}
