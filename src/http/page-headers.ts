import { hash } from 'node:crypto'

/**
 * For answers that are documents: nothing inline, nothing foreign, no frame around us (T38). Pictures and sounds may also be
 * bytes that the page holds already: an address of `blob:` asks nobody for anything.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' blob:; media-src blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** How pages without script look: one card in the colours of the console, light or dark as its reader has it. */
export const plainStyle = [
  ':root{color-scheme:light dark;--bg:#f6f5f1;--card:#fff;--line:#e0ddd4;--edge:#8f8b80;--text:#1e1d1a;--muted:#625f57;--accent:#0f6b62;--on-accent:#fff;--warn:#7a4d00;--warn-soft:#fbeecd}',
  '@media(prefers-color-scheme:dark){:root{--bg:#141413;--card:#1d1d1b;--line:#31302c;--edge:#77746a;--text:#eceae4;--muted:#a9a59b;--accent:#35cdb9;--on-accent:#06211d;--warn:#edbb5c;--warn-soft:#37290d}}',
  'body{margin:0;padding:clamp(1rem,9vh,6rem) 1rem 3rem;background:var(--bg);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}',
  'main{box-sizing:border-box;max-width:35rem;margin:0 auto;padding:clamp(1.25rem,5vw,2.25rem);background:var(--card);border:1px solid var(--line);border-radius:12px;overflow-wrap:anywhere}',
  '.brand{margin:0 0 1.1rem;color:var(--muted);font-size:.9rem;font-weight:650}',
  'h1{margin:0 0 .9rem;font-size:1.35rem;line-height:1.3;letter-spacing:-.01em}p{margin:.7rem 0}',
  'dl{margin:1.1rem 0;padding:.35rem 0;border-block:1px solid var(--line)}dt{margin-top:.6rem;color:var(--muted);font-size:.88rem}dd{margin:0 0 .6rem;font-weight:550}',
  'h2{margin:1.3rem 0 .4rem;font-size:1rem}pre{margin:0 0 1rem;padding:.7rem .9rem;border:1px solid var(--line);border-radius:8px;white-space:pre-wrap;font:.88rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}',
  '.warning{padding:.65rem .9rem;border-left:.25rem solid var(--warn);border-radius:6px;background:var(--warn-soft);color:var(--warn)}',
  'label{display:block;margin:1.1rem 0 .35rem;font-weight:600}input{box-sizing:border-box;width:100%;padding:.6rem .7rem;border:1px solid var(--edge);border-radius:8px;background:var(--card);color:inherit;font:inherit}',
  'a{color:var(--accent)}button,a.button{display:inline-block;margin:1.1rem .6rem 0 0;padding:.55rem 1.2rem;border:1px solid var(--accent);border-radius:8px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}',
  'button[value=deny]{border-color:var(--edge);background:none;color:var(--text)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}.small{color:var(--muted);font-size:.9rem}',
].join('')

/**
 * For pages without script: nothing is run, nothing is loaded, nobody puts them in a frame. `forms` is where their forms may
 * lead, the redirects behind them included. A page with a form of ours keeps the referrer for ourselves, since without one a
 * browser hides the origin of the form as well, and we would refuse it.
 */
export const plainPageHeaders = (forms: string): Readonly<Record<string, string>> => ({
  ...pageHeaders,
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash('sha256', plainStyle, 'base64')}'; base-uri 'none'; form-action ${forms}; frame-ancestors 'none'`,
  'Referrer-Policy': forms === "'none'" ? 'no-referrer' : 'same-origin',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
})
