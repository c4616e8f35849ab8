# A formula for a tap of your own: put in where the release's tar is, and its sum (sha256sum).
class Stowage < Formula
  desc "Decides where VMs, jobs and pods run, and how many servers they need"
  homepage "https://example.invalid/stowage"
  url "https://example.invalid/stowage-0.2.0-linux-x86_64.tar.gz"
  version "0.2.0"
  sha256 "0" * 64
  license "Apache-2.0"

  depends_on arch: :x86_64
  depends_on :linux

  # The tar has its own Java runtime. The launcher follows links, so a link in bin is enough.
  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"bin/stowage"
    man1.install_symlink Dir[libexec/"man/man1/*.1"]
    bash_completion.install_symlink libexec/"completion/stowage.bash" => "stowage"
    fish_completion.install_symlink libexec/"completion/stowage.fish"
    zsh_completion.install_symlink libexec/"completion/stowage.zsh" => "_stowage"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/stowage --version")
  end
end
