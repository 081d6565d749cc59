import type { CompletionScript } from './completion-script.js';

/**
 * For PowerShell 5.1 and newer. Under the name gobonnie PowerShell also finds it for gobonnie.cmd and gobonnie.ps1, which
 * npm installs on Windows.
 */
export const powershell: CompletionScript = ({ node, entry }) => `\
# Completes gobonnie's command lines in PowerShell.
#
# To have it in every shell, put this line into the file $PROFILE:
#   gobonnie completion powershell | Out-String | Invoke-Expression
#
# It also works after npx gobonnie once it is loaded. Not every version of PowerShell asks it for flags before there
# is a letter after --.

Register-ArgumentCompleter -Native -CommandName @('gobonnie', 'npx') -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  # With Stop, PowerShell 5 would end here if Node.js printed a warning.
  $ErrorActionPreference = 'Continue'

  # PowerShell 5 escapes neither quotes nor a backslash before the quote that it adds, so Node.js is given none.
  $plain = { $args[0] -replace '[''"\`]' }
  $open = { $args[0] -replace '\\\\+$' }
  $before = @()
  $typed = ''
  foreach ($element in $commandAst.CommandElements) {
    $length = $cursorPosition - $element.Extent.StartOffset
    $text = $element.Extent.Text
    if ($length -gt $text.Length) {
      $before += & $plain $text
    } elseif ($length -gt 0) {
      $typed = & $plain ($text.Substring(0, $length))
    }
  }
  $at = 0
  if ([System.IO.Path]::GetFileNameWithoutExtension($before[0]) -eq 'npx') {
    $at = 1
    while ($at -lt $before.Count -and $before[$at] -like '-*') { $at++ }
    if ($at -ge $before.Count -or $before[$at] -ne 'gobonnie') { return }
  }
  $before = @($before | Select-Object -Skip ($at + 1) | ForEach-Object { & $open $_ })
  $current = '.' + (& $open $typed)

  # The word at the cursor comes first, after a dot: PowerShell 5 drops empty words.
  if ((Test-Path -LiteralPath ${quoteForPowerShell(node)}) -and (Test-Path -LiteralPath ${quoteForPowerShell(entry)})) {
    $answer = @(& ${quoteForPowerShell(node)} ${quoteForPowerShell(entry)} __complete $current @before 2>$null)
  } else {
    $answer = @(& gobonnie __complete $current @before 2>$null)
  }
  if ($answer.Count -eq 0) { return }
  $kind = $answer[0]
  $flag = if ($typed -match '^--?[\\w-]+=') { $Matches[0] } else { '' }
  $quote = if ($wordToComplete -match '^[''"]') { $Matches[0] } else { '' }

  # Without an offer PowerShell itself completes files.
  if ($kind -eq 'files' -and -not $flag) { return }
  $offers = if ($kind -eq 'files' -or $kind -eq 'directories') {
    $path = if ($flag) { $typed.Substring($flag.Length) } else { $wordToComplete }
    [System.Management.Automation.CompletionCompleters]::CompleteFilename($path) |
      Where-Object { $kind -eq 'files' -or $_.ResultType -eq 'ProviderContainer' } |
      ForEach-Object {
        $text = $_.CompletionText
        if ($flag -and ($quote -or $text -match '^''')) {
          # The quotes go around the flag, too.
          $text = '''{0}{1}''' -f $flag, ($text -replace '^''|''$')
        } elseif ($flag) {
          $text = $flag + $text
        }
        [System.Management.Automation.CompletionResult]::new($text, $_.ListItemText, $_.ResultType, $_.ToolTip)
      }
  } else {
    # After a comma PowerShell replaces only what follows it.
    $kept = if ($typed.EndsWith($wordToComplete)) { $typed.Length - $wordToComplete.Length } else { 0 }
    $answer | Select-Object -Skip 1 | ForEach-Object {
      $word, $help = $_ -split "\`t", 2
      if (-not $help) { $help = $word }
      $type = if ($word -like '-*') { 'ParameterName' } else { 'ParameterValue' }
      $text = $quote + ($flag + $word).Substring($kept) + $quote
      [System.Management.Automation.CompletionResult]::new($text, $word, $type, $help)
    }
  }
  if ($offers) { $offers } else { '' }
}
`;

function quoteForPowerShell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
