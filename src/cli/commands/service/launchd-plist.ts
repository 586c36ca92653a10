import { withFacts } from './facts.js'
import type { ServicePlan } from './plan.js'

/** The property list that launchd reads. */
export const launchdPlist = (plan: ServicePlan, label: string, log: string): string => {
  // launchd has no file of variables: a shell reads it, and becomes the gateway.
  const start = `if [ -r "$0" ]; then set -a; . "$0"; set +a; fi; exec "$@"`
  const words = ['/bin/sh', '-c', start, plan.environmentFile, ...plan.command, ...plan.args]
  return withFacts(
    `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${xml(label)}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${xml(word)}</string>`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>PATH</key>
    <string>${xml(plan.path.join(':'))}</string>
  </dict>
${plan.runAs === undefined ? '' : `  <key>UserName</key>\n  <string>${xml(plan.runAs)}</string>\n`}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ExitTimeOut</key>
  <integer>30</integer>
  <key>StandardOutPath</key>
  <string>${xml(log)}</string>
  <key>StandardErrorPath</key>
  <string>${xml(log)}</string>
</dict>
</plist>
`,
    plan,
    (line) => `<!-- ${line} -->`,
  )
}

/** Text inside an element of XML. */
export const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
